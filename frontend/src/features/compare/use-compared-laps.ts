import type { Lap, Preview } from '@lapwing/telemetry'
import { useEffect, useMemo, useState } from 'react'
import { type ComparedLaps, createCompareLaps, type ReferenceSource } from './compare-laps.ts'
import type { CompareState } from './compare-store.ts'
import type { KnownCorner } from './fetch-track-corners.ts'
import { chosenReference, sessionReferences } from './session-references.ts'

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
 * Compares the selected lap with the chosen reference. The previous result stays for a few frames until the new one
 * is ready, so that nothing flickers. Stored corners that arrive later replace the corners found here.
 * Use with a key that changes with the session.
 */
export function useComparedLaps(
  preview: Preview,
  lap: Lap | undefined,
  state: CompareState,
  known: readonly KnownCorner[] | null,
): ComparedNow {
  const { isOn, source: from, external, sessionRow } = state
  const source = useMemo((): ReferenceSource | null => {
    if (!isOn || !lap) return null
    if (from === 'external')
      return external && { kind: 'external', name: external.name, track: external.track }
    const reference = chosenReference(sessionReferences(preview.laps, lap), sessionRow)
    return reference ? { kind: 'session', lap: reference } : null
  }, [isOn, lap, from, external, sessionRow, preview])
  const [compareLaps] = useState(createCompareLaps)
  const [done, setDone] = useState<ShownLaps | null>(null)

  useEffect(() => {
    if (source === null || !lap) return setDone(null)
    let isWanted = true
    const pause = async () => {
      await new Promise(resolve => setTimeout(resolve))
      if (!isWanted) throw givenUp
    }
    const compare = async () => {
      // Loads this code with the first comparison.
      const maths = await import('@lapwing/telemetry/compare')
      const compared = await compareLaps(preview, lap, source, { maths, pause, known })
      if (isWanted) setDone({ lap, compared, problem: compared ? null : NOT_WHOLE })
    }
    compare().catch((error: unknown) => {
      if (error !== givenUp && isWanted) setDone({ lap, compared: null, problem: FAILED })
    })
    return () => {
      isWanted = false
    }
  }, [preview, lap, source, known, compareLaps])

  const nothing = { lap, compared: null, problem: null }
  const hasReference = source !== null
  return { ...((hasReference && done) || nothing), hasReference }
}

const givenUp = new Error('Another comparison was asked for.')

const NOT_WHOLE = 'The recording of this lap is not whole, so it cannot be compared with.'
const FAILED = 'The laps could not be compared. Load the page again to try once more.'
