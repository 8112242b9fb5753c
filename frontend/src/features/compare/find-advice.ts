import type { Lap, Preview } from '@lapwing/telemetry'
import { type Advice, chooseAdvice, findingsOf } from '@lapwing/telemetry/advice'
import * as maths from '@lapwing/telemetry/compare'
import { type createCompareLaps, type ReferenceSource, type TrackCache, trackOf } from './compare-laps.ts'
import type { KnownCorner } from './fetch-track-corners.ts'
import { timedLaps } from './session-references.ts'

/** What to do, and the lap that did it. */
export interface LapAdvice extends Omit<Advice, 'ownLap'> {
  /** A lap of the session; null if the reference did it and is none. */
  readonly did: Lap | null
}

/** Own laps that are searched, the fastest ones. */
const MOST_LAPS = 20

interface FindAdviceDeps {
  readonly compareLaps: ReturnType<typeof createCompareLaps>
  readonly known: readonly KnownCorner[] | null
  /** Called between steps of a few milliseconds. Rejects to cancel. */
  readonly pause: () => Promise<void>
  readonly tracks?: TrackCache
}

/**
 * Finds what to do next on a lap, against its reference. If the reference is no lap of the session, laps of the session
 * that did it come first. Returns an empty list if a lap is not whole.
 */
export async function findAdvice(
  preview: Preview,
  lap: Lap,
  source: ReferenceSource,
  { compareLaps, known, pause, tracks }: FindAdviceDeps,
): Promise<readonly LapAdvice[]> {
  const compared = await compareLaps(preview, lap, source, { maths, known, pause })
  const track = await trackOf(preview, lap, { maths, pause }, tracks)
  if (compared === null || track === null) return []
  const { corners, reference } = compared
  const findings = findingsOf(corners, track, reference.track)
  const isSession = source.kind === 'session'
  const own: Lap[] = []
  const ofOwn: ReturnType<typeof findingsOf>[] = []
  const others = isSession || findings.length === 0 ? [] : timedLaps(preview.laps).slice(0, MOST_LAPS)
  for (const other of others) {
    const its = other === lap ? null : await trackOf(preview, other, { maths, pause }, tracks)
    if (its === null) continue
    own.push(other)
    ofOwn.push(findingsOf(corners, track, its))
    await pause()
  }
  return chooseAdvice(findings, ofOwn, source.kind !== 'ideal').map(({ ownLap, ...advice }) => ({
    ...advice,
    did: isSession ? source.lap : ownLap === null ? null : own[ownLap]!,
  }))
}
