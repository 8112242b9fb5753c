import type { Lap } from '@lapwing/telemetry'
import type { LapTrack } from '@lapwing/telemetry/compare'
import type { ReferenceSource } from './compare-laps.ts'
import type { CompareState } from './compare-store.ts'
import { IDEAL_LAP } from './ideal-state.ts'
import { chosenReference, sessionReferences } from './session-references.ts'

/**
 * Returns the reference of a lap among the laps of its session and a lap of a board; null if there is none. If the
 * ideal lap is chosen but not known, it is the fastest other lap.
 */
export function referenceSource(
  laps: readonly Lap[],
  lap: Lap | undefined,
  { isOn, source, external, sessionRow }: Pick<CompareState, 'isOn' | 'source' | 'external' | 'sessionRow'>,
  ideal: LapTrack | null,
): ReferenceSource | null {
  if (!isOn || !lap) return null
  if (source === 'external') {
    return external && { kind: 'external', name: external.name, track: external.track }
  }
  if (sessionRow === 'ideal' && ideal) return { kind: 'ideal', name: IDEAL_LAP, track: ideal }
  const reference = chosenReference(sessionReferences(laps, lap), sessionRow)
  return reference ? { kind: 'session', lap: reference } : null
}
