import type { Lap, Preview } from '@lapwing/telemetry'
import { useEffect, useState } from 'react'
import { compareSessionLaps, type ReferenceSource } from './compare-laps.ts'
import type { KnownCorner } from './fetch-track-corners.ts'
import { findAdvice, type LapAdvice } from './find-advice.ts'
import { pauseWhile } from './pause-while.ts'

export interface AdviceOf {
  readonly preview: Preview
  readonly lap: Lap
  readonly source: ReferenceSource
  readonly known: readonly KnownCorner[] | null
}

/**
 * Finds what to do next on a lap. Undefined until it is known for the first time; then the last result stays until the
 * next is ready. Null if it failed.
 */
export function useAdvice({
  preview,
  lap,
  source,
  known,
}: AdviceOf): readonly LapAdvice[] | null | undefined {
  const [advice, setAdvice] = useState<readonly LapAdvice[] | null>()
  useEffect(() => {
    let isWanted = true
    const pause = pauseWhile(() => isWanted)
    findAdvice(preview, lap, source, { compareLaps: compareSessionLaps, known, pause })
      .catch(() => null)
      .then(found => isWanted && setAdvice(found))
    return () => {
      isWanted = false
    }
  }, [preview, lap, source, known])
  return advice
}
