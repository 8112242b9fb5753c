import type { Lap, Preview } from '@lapwing/telemetry'
import * as maths from '@lapwing/telemetry/compare'
import { type IdealLap, sameConditions, searchIdealLap } from '@lapwing/telemetry/ideal'
import { type TrackCache, trackOf } from './compare-laps.ts'
import type { IdealState } from './ideal-state.ts'

export const TOO_FEW = 'No ideal lap: it needs two clean laps of one stint, with the track equally warm.'
export const NO_PLACES = 'No ideal lap: the file lacks speeds or positions, so no parts can join.'
export const NONE_FASTER = 'No ideal lap: no parts of a stint join to a faster lap than your best clean one.'

/**
 * Finds the ideal lap of a session, the fastest of its stints. Works in steps of a few milliseconds; `pause` is called
 * between them and rejects to cancel.
 */
export async function findIdealLap(
  preview: Preview,
  pause: () => Promise<void>,
  tracks?: TrackCache,
): Promise<IdealState> {
  const groups = sameConditions(preview.laps)
  if (groups.length === 0) return { kind: 'none', why: TOO_FEW }
  let found: { readonly ideal: IdealLap; readonly laps: readonly Lap[] } | null = null
  for (const group of groups) {
    const whole = []
    for (const lap of group) {
      const track = await trackOf(preview, lap, { maths, pause }, tracks)
      if (track) whole.push({ lap, track })
    }
    const search = searchIdealLap(whole.map(({ track }) => track))
    let step = search.next()
    for (; !step.done; step = search.next()) await pause()
    const ideal = step.value
    const isBetter = ideal && (found === null || ideal.track.timeMs < found.ideal.track.timeMs)
    if (isBetter) found = { ideal, laps: whole.map(({ lap }) => lap) }
  }
  if (found === null) return { kind: 'none', why: NO_PLACES }
  const { ideal, laps } = found
  if (ideal.parts.length === 1 || ideal.track.timeMs >= bestMs(preview.laps)) {
    return { kind: 'none', why: NONE_FASTER }
  }
  const parts = ideal.parts.map(({ lap, fromPct, toPct }) => ({ lap: laps[lap]!, fromPct, toPct }))
  return { kind: 'found', track: ideal.track, parts }
}

/** Returns the milliseconds of the fastest clean lap. */
function bestMs(laps: readonly Lap[]): number {
  return Math.min(...laps.flatMap(({ is_clean, time_s }) => (is_clean && time_s ? 1000 * time_s : [])))
}
