import type { Lap, Preview } from '@lapwing/telemetry'
import type { Corner, CornerComparison, LapTrack } from '@lapwing/telemetry/compare'
import { lapNames } from '#shared/laps/lap-names.ts'

export type CompareMaths = typeof import('@lapwing/telemetry/compare')

/** The lap that another is compared with. */
export interface ReferenceLap {
  /** "Lap 5", or the driver's name. */
  readonly name: string
  readonly track: LapTrack
}

/** What comes out where two laps are compared. */
export interface ComparedLaps {
  readonly reference: ReferenceLap
  /** Of the reference, so that they do not change with the lap. */
  readonly corners: readonly Corner[]
  /** Null where the lap is not a whole one. */
  readonly difference: LapDifference | null
}

export interface LapDifference {
  /** Seconds by which the lap is behind, over even steps of it, both ends included. */
  readonly seconds: Float64Array
  /** Seconds between both times as scored. */
  readonly scoredGapS: number
  /** Milliseconds by which the last of `seconds` misses it. */
  readonly residualMs: number
  /** Corners and straights in the order driven; their losses add up to the last of `seconds`. */
  readonly stretches: readonly CornerComparison[]
}

/** Where the reference comes from. */
export type ReferenceSource =
  | { readonly kind: 'session'; readonly lap: Lap }
  | { readonly kind: 'external'; readonly name: string; readonly track: LapTrack }

export interface CompareLapsDeps {
  readonly maths: CompareMaths
  /** Between two steps, each a few milliseconds long, so that the page goes on answering. Throws to give up. */
  readonly pause: () => Promise<void>
}

/** Null where the reference is no whole lap. Laps and references that were seen before are remembered. */
export type CompareLaps = (
  preview: Preview,
  lap: Lap,
  source: ReferenceSource,
  deps: CompareLapsDeps,
) => Promise<ComparedLaps | null>

export function createCompareLaps(): CompareLaps {
  const tracks = new WeakMap<Lap, LapTrack | null>()
  const cornersOf = new WeakMap<LapTrack, readonly Corner[]>()

  async function trackOf(preview: Preview, lap: Lap, { maths, pause }: CompareLapsDeps) {
    const known = tracks.get(lap)
    if (known !== undefined) return known
    const track = maths.lapTrack(preview, lap)
    tracks.set(lap, track)
    await pause()
    return track
  }

  async function findCorners(track: LapTrack, { maths, pause }: CompareLapsDeps) {
    const known = cornersOf.get(track)
    if (known) return known
    const corners = maths.findCorners(track)
    cornersOf.set(track, corners)
    await pause()
    return corners
  }

  return async (preview, lap, source, deps) => {
    const { maths, pause } = deps
    const referenceTrack =
      source.kind === 'external' ? source.track : await trackOf(preview, source.lap, deps)
    if (!referenceTrack) return null
    const corners = await findCorners(referenceTrack, deps)
    const reference = {
      name: source.kind === 'external' ? source.name : lapNames(preview.laps).nameOf(source.lap),
      track: referenceTrack,
    }
    const track = await trackOf(preview, lap, deps)
    if (!track) return { reference, corners, difference: null }
    const trace = maths.deltaTrace(track, referenceTrack)
    await pause()
    return {
      reference,
      corners,
      difference: {
        seconds: trace.delta,
        scoredGapS: (track.timeMs - referenceTrack.timeMs) / 1000,
        residualMs: maths.closingResidualMs(trace, track, referenceTrack),
        stretches: maths.compareCorners(corners, track, referenceTrack),
      },
    }
  }
}
