import type { Corner } from '../corners/corner.ts'
import { type CornerFigures, cornerFigures } from './corner-figures.ts'
import { deltaTrace, valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

/** One stretch of the lap: a corner, or the straight before, between or after corners. */
export interface CornerComparison {
  readonly kind: 'corner' | 'straight'
  /** `Turn 1`; of a straight `Line to Turn 1`, `Turn 1 to Turn 2`, `Turn 9 to line`. */
  readonly name: string
  readonly startPct: number
  readonly endPct: number
  /** Null for a straight, like the figures of both laps. */
  readonly corner: Corner | null
  readonly lap: CornerFigures | null
  readonly reference: CornerFigures | null
  /** Seconds lost here against the reference; negative if the lap gained time. */
  readonly lossS: number
  /** The same in whole milliseconds, rounded so that all stretches add up to the rounded gap. */
  readonly lossMs: number
}

/**
 * Returns the whole lap in stretches, in driving order and without a hole. Their losses add up to the gap at
 * which `deltaTrace` ends.
 */
export function compareCorners(
  corners: readonly Corner[],
  lap: LapTrack,
  reference: LapTrack,
): readonly CornerComparison[] {
  const { delta } = deltaTrace(lap, reference)
  // One length for both laps, so that a point has one distance.
  const lengthM = reference.lengthM ?? lap.lengthM
  let beforeS = 0
  return stretches(corners).map(({ name, startPct, endPct, index }) => {
    const afterS = valueAt(delta, endPct)
    const lossS = afterS - beforeS
    // Rounds the ends, not the losses, whose errors would add up. The last operand avoids a -0 on the page.
    const lossMs = Math.round(afterS * 1000) - Math.round(beforeS * 1000) || 0
    beforeS = afterS
    const corner = index === null ? null : corners[index]!
    const figures = (track: LapTrack): CornerFigures | null =>
      index === null ? null : cornerFigures(track, corners, index, lengthM)
    return {
      kind: corner === null ? 'straight' : 'corner',
      name,
      startPct,
      endPct,
      corner,
      lap: figures(lap),
      reference: figures(reference),
      lossS,
      lossMs,
    }
  })
}

interface Stretch {
  readonly name: string
  readonly startPct: number
  readonly endPct: number
  /** Index of the corner; null for a straight. */
  readonly index: number | null
}

function stretches(corners: readonly Corner[]): Stretch[] {
  const all: Stretch[] = []
  let at = 0
  let from = 'Line'
  const straight = (to: string, endPct: number): void => {
    if (endPct > at) all.push({ name: `${from} to ${to}`, startPct: at, endPct, index: null })
  }
  corners.forEach(({ name, startPct, endPct }, index) => {
    straight(name, startPct)
    all.push({ name, startPct, endPct, index })
    at = endPct
    from = name
  })
  straight('line', 1)
  return all
}
