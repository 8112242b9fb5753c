import { valueAt } from '../compare/delta-trace.ts'
import type { LapTrack } from '../compare/lap-track.ts'
import { miniSectorTimes } from '../compare/mini-sectors.ts'
import type { Corner } from '../corners/corner.ts'
import { median } from '../corners/track-shape.ts'
import { quantile } from './lap-spread.ts'

/** Seconds of one lap in parts that are the same for all laps. It is small, so that all laps of a file fit. */
export interface AlignedLap {
  /** First row of the lap: numbers of laps repeat, rows do not. */
  readonly rowStart: number
  /** Of each mini-sector. They add up to the interpolated lap time. */
  readonly miniSectorsS: Float64Array
  /** Of each corner, from where cars slow for it to where the road is straight again. */
  readonly cornersS: Float64Array
}

export function alignLap(rowStart: number, track: LapTrack, corners: readonly Corner[]): AlignedLap {
  return {
    rowStart,
    miniSectorsS: miniSectorTimes(track),
    cornersS: Float64Array.from(
      corners,
      ({ startPct, endPct }) => valueAt(track.time, endPct) - valueAt(track.time, startPct),
    ),
  }
}

/** How even a driver takes a corner. All in seconds. */
export interface CornerSpread {
  readonly corner: Corner
  readonly bestS: number
  /** First row of the fastest lap through the corner. */
  readonly bestRowStart: number
  readonly medianS: number
  /** Nine of ten laps lie between these: the 5th and the 95th percentile. */
  readonly fastS: number
  readonly slowS: number
}

/** Returns the spread of each corner over the laps, in driving order; empty without laps. */
export function cornerSpreads(
  corners: readonly Corner[],
  laps: readonly AlignedLap[],
): readonly CornerSpread[] {
  if (laps.length === 0) return []
  return corners.map((corner, i) => {
    const sorted = laps.toSorted((a, b) => a.cornersS[i]! - b.cornersS[i]!)
    const seconds = sorted.map(({ cornersS }) => cornersS[i]!)
    return {
      corner,
      bestS: seconds[0]!,
      bestRowStart: sorted[0]!.rowStart,
      medianS: quantile(seconds, 0.5),
      fastS: quantile(seconds, 0.05),
      slowS: quantile(seconds, 0.95),
    }
  })
}

/** Returns the seconds of the best of each mini-sector; empty without laps. */
export function bestMiniSectors(laps: readonly AlignedLap[]): Float64Array {
  const bests = Float64Array.from(laps[0]?.miniSectorsS ?? [])
  for (const { miniSectorsS } of laps) {
    miniSectorsS.forEach((seconds, i) => {
      if (seconds < bests[i]!) bests[i] = seconds
    })
  }
  return bests
}

/** Returns the seconds that a lap loses to the best in each mini-sector. Negative if it is not one of those laps. */
export function miniSectorLosses({ miniSectorsS }: AlignedLap, bestsS: Float64Array): Float64Array {
  return miniSectorsS.map((seconds, i) => seconds - bestsS[i]!)
}

/** Returns the seconds that the laps usually lose in each mini-sector: the median of each. */
export function usualLosses(laps: readonly AlignedLap[], bestsS: Float64Array): Float64Array {
  const losses = laps.map(lap => miniSectorLosses(lap, bestsS))
  return bestsS.map((_, i) => median(losses.map(of => of[i]!)))
}
