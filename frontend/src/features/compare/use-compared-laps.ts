import type { Lap, Preview } from '@lapwing/telemetry'
import { useEffect, useState } from 'react'
import type { ComparedLaps, ReferenceSource } from './compare-laps.ts'
import type { KnownCorner } from './fetch-track-corners.ts'
import { pauseWhile } from './pause-while.ts'

interface ShownLaps {
  /** The lap to show: the selected lap after its comparison, before that the previous one. */
  readonly lap: Lap | undefined
  /** Null if nothing is compared. */
  readonly compared: ComparedLaps | null
  /** Why there is a reference but no comparison. */
  readonly problem: string | null
}

interface ComparedNow extends ShownLaps {
  /** Whether there is a lap to compare with. */
  readonly hasReference: boolean
}

/**
 * Compares the selected lap with a reference; null if there is none. The previous result stays for a few frames until
 * the new one is ready, so that nothing flickers. Stored corners that arrive later replace the corners found here.
 * Use with a key that changes with the session.
 */
export function useComparedLaps(
  preview: Preview,
  lap: Lap | undefined,
  source: ReferenceSource | null,
  known: readonly KnownCorner[] | null,
): ComparedNow {
  const [done, setDone] = useState<ShownLaps | null>(null)

  useEffect(() => {
    if (source === null || !lap) return setDone(null)
    let isWanted = true
    const pause = pauseWhile(() => isWanted)
    const compare = async () => {
      // Loads this code with the first comparison.
      const [maths, { compareSessionLaps }] = await Promise.all([
        import('@lapwing/telemetry/compare'),
        import('./compare-laps.ts'),
      ])
      const compared = await compareSessionLaps(preview, lap, source, { maths, pause, known })
      if (isWanted) setDone({ lap, compared, problem: compared ? null : NOT_WHOLE })
    }
    compare().catch(() => {
      if (isWanted) setDone({ lap, compared: null, problem: FAILED })
    })
    return () => {
      isWanted = false
    }
  }, [preview, lap, source, known])

  const nothing = { lap, compared: null, problem: null }
  const hasReference = source !== null
  return { ...((hasReference && done) || nothing), hasReference }
}

const NOT_WHOLE = 'The recording of this lap is not whole, so it cannot be compared with.'
const FAILED = 'The laps could not be compared. Load the page again to try once more.'
