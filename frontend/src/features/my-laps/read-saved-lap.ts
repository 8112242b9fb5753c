import type { LapReason, Preview } from '@lapwing/telemetry'
import { type Reference, trackPreview } from '@lapwing/telemetry/compare'
import { parseJson } from '#shared/api/shapes.ts'
import { kindWords } from '#shared/laps/lap-facts.ts'
import { isMyLap, type MyLap } from './my-laps-api.ts'

/** Loads a saved lap as a session with that one lap. Rejects with the errors of `fetchReference`. */
export async function readSavedLap(
  lap: MyLap,
  fetchReference: (lapId: string) => Promise<Reference>,
): Promise<{ readonly preview: Preview; readonly sizeBytes: number }> {
  const reference = await fetchReference(lap.lap_id)
  const preview = trackPreview(reference, {
    lap: lap.lap,
    isClean: lap.is_clean,
    // That reason is about the boards, and not about the lap.
    reasons: lap.reasons.filter((reason): reason is LapReason => reason !== 'ELSEWHERE'),
    sessionName: kindWords(lap),
    weather: { AirTemp: lap.air_temp_c ?? null, Skies: skiesOf(lap.skies) },
  })
  return { preview, sizeBytes: 0 }
}

/** As `readSavedLap`, for a lap that was open before a reload. Rejects if its JSON is of another version of the page. */
export async function readStoredLap(facts: string, fetchReference: (lapId: string) => Promise<Reference>) {
  const lap = parseJson(isMyLap, facts)
  if (lap === null) throw new Error('The stored lap has another form.')
  return readSavedLap(lap, fetchReference)
}

function skiesOf(skies: MyLap['skies']): Preview['meta']['weather']['Skies'] {
  return skies === 0 || skies === 1 || skies === 2 || skies === 3 ? skies : null
}
