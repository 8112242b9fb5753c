import type { Lap, Preview } from '@lapwing/telemetry'
import type { Corner, CornerComparison, LapTrack } from '@lapwing/telemetry/compare'
import type { LapDelta } from '#shared/laps/lap-delta.ts'
import { lapNames } from '#shared/laps/lap-names.ts'
import type { KnownCorner } from './fetch-track-corners.ts'
import { timedLaps } from './session-references.ts'

type CompareMaths = typeof import('@lapwing/telemetry/compare')

/** The lap with which another is compared. */
interface ReferenceLap {
  /** "Lap 5", or the driver's name. */
  readonly name: string
  readonly track: LapTrack
}

/** The result of a comparison. */
export interface ComparedLaps {
  readonly reference: ReferenceLap
  /** Corners of the track. They are the same for all laps. */
  readonly corners: readonly Corner[]
  /** Null if the lap is not a whole one. */
  readonly difference: LapDifference | null
}

interface LapDifference extends LapDelta {
  /** Corners, straights and incidents in the order driven; their losses add up to the last of `seconds`. */
  readonly stretches: readonly CornerComparison[]
}

/** The origin of the reference. Nobody drove an ideal lap as a whole. */
export type ReferenceSource =
  | { readonly kind: 'session'; readonly lap: Lap }
  | { readonly kind: 'external' | 'ideal'; readonly name: string; readonly track: LapTrack }

export interface CompareLapsDeps {
  /** The stored corners of the track; null if there are none or they have not arrived yet. */
  readonly known: readonly KnownCorner[] | null
  readonly maths: CompareMaths
  /** Called between steps of a few milliseconds, so that the page stays responsive. Rejects to cancel. */
  readonly pause: () => Promise<void>
}

/** Laps from which corners are found if none are stored. More laps would not change the corners. */
const MOST_LAPS = 5

/** Laps over their distance; null for a lap that is not whole. */
export type TrackCache = WeakMap<Lap, LapTrack | null>

/** The laps of open sessions, for everything that compares them. */
export const sessionTracks: TrackCache = new WeakMap()

/** Returns a lap over its distance from the cache, or after a pause; null if it is not whole. */
export async function trackOf(
  preview: Preview,
  lap: Lap,
  { maths, pause }: Pick<CompareLapsDeps, 'maths' | 'pause'>,
  tracks: TrackCache = sessionTracks,
): Promise<LapTrack | null> {
  const known = tracks.get(lap)
  if (known !== undefined) return known
  const track = maths.lapTrack(preview, lap)
  tracks.set(lap, track)
  await pause()
  return track
}

export function createCompareLaps(tracks: TrackCache = new WeakMap()) {
  /** Keyed by their origin: the session, the reference or the stored corners. */
  const cornersOf = new WeakMap<object, readonly Corner[]>()

  /** Finds corners in the session's laps, or in the reference if the session has no whole lap. */
  async function findOwn(preview: Preview, reference: LapTrack, deps: CompareLapsDeps) {
    const laps: LapTrack[] = []
    for (const lap of timedLaps(preview.laps).slice(0, MOST_LAPS)) {
      const track = await trackOf(preview, lap, deps, tracks)
      if (track) laps.push(track)
    }
    const from = laps.length > 0 ? preview : reference
    return remembered(from, deps, ({ maths }) =>
      maths.nameCorners(
        maths.numberCorners(maths.findTrackCorners(laps.length > 0 ? laps : [reference])),
        preview.meta,
      ),
    )
  }

  async function remembered(
    from: object,
    deps: CompareLapsDeps,
    find: (deps: CompareLapsDeps) => readonly Corner[],
  ) {
    const known = cornersOf.get(from)
    if (known) return known
    const corners = find(deps)
    cornersOf.set(from, corners)
    await deps.pause()
    return corners
  }

  /** Returns the stored corners, unless this road does not bend there. */
  async function findCorners(preview: Preview, reference: LapTrack, deps: CompareLapsDeps) {
    const own = await findOwn(preview, reference, deps)
    const { known, maths } = deps
    if (known === null || !maths.isSameRoad(known, own)) return own
    return remembered(known, deps, () => known.map(corner => ({ ...corner, name: maths.cornerName(corner) })))
  }

  /** Resolves with null if the reference is not a whole lap. Caches tracks and corners of earlier laps. */
  return async (
    preview: Preview,
    lap: Lap,
    source: ReferenceSource,
    deps: CompareLapsDeps,
  ): Promise<ComparedLaps | null> => {
    const { maths, pause } = deps
    const referenceTrack =
      source.kind === 'session' ? await trackOf(preview, source.lap, deps, tracks) : source.track
    if (!referenceTrack) return null
    const corners = await findCorners(preview, referenceTrack, deps)
    const reference = {
      name: source.kind === 'session' ? lapNames(preview.laps).nameOf(source.lap) : source.name,
      track: referenceTrack,
    }
    const track = await trackOf(preview, lap, deps, tracks)
    if (!track) return { reference, corners, difference: null }
    const trace = maths.deltaTrace(track, referenceTrack)
    await pause()
    return {
      reference,
      corners,
      difference: {
        seconds: trace.delta,
        missedMs: trace.missedMs,
        stretches: maths.compareCorners(corners, track, referenceTrack),
      },
    }
  }
}

/** Compares laps of open sessions. */
export const compareSessionLaps = createCompareLaps(sessionTracks)
