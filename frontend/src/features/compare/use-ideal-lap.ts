import type { Preview } from '@lapwing/telemetry'
import { useEffect, useState } from 'react'
import type { IdealState } from './ideal-state.ts'
import { pauseWhile } from './pause-while.ts'

/**
 * Finds the ideal lap of a session when it is first wanted. Use with a key that changes with the session. If it fails,
 * the session has none.
 */
export function useIdealLap(preview: Preview, isWanted: boolean): IdealState {
  const [ideal, setIdeal] = useState<IdealState>({ kind: 'pending' })
  const isDue = isWanted && ideal.kind === 'pending'
  useEffect(() => {
    if (!isDue) return
    let isShown = true
    const pause = pauseWhile(() => isShown)
    const find = async () => (await import('./find-ideal-lap.ts')).findIdealLap(preview, pause)
    find()
      .catch((): IdealState => ({ kind: 'none', why: FAILED }))
      .then(found => isShown && setIdeal(found))
    return () => {
      isShown = false
    }
  }, [preview, isDue])
  return ideal
}

const FAILED = 'The ideal lap could not be computed. Load the page again to try once more.'
