import { deltaTrace, valueAt } from './delta-trace.ts'
import type { Corner } from './find-corners.ts'
import type { LapTrack } from './lap-track.ts'

/** What a driver did in one corner; null where the lap has no such channel, or it did not happen. */
export interface CornerFigures {
  /** Metres from the line at which the brake was first pressed for this corner. */
  readonly brakeM: number | null
  /** Lowest speed in the corner, m/s. */
  readonly minSpeedMps: number | null
  /** Metres from the line at which the throttle was back on after the slowest place. */
  readonly throttleM: number | null
}

/** One stretch of the lap: a corner, or the straight before, between or after corners. */
export interface CornerComparison {
  readonly kind: 'corner' | 'straight'
  /** `Turn 1`; of a straight `Line to Turn 1`, `Turn 1 to Turn 2`, `Turn 9 to line`. */
  readonly name: string
  readonly startPct: number
  readonly endPct: number
  /** Of a corner only; null of a straight. */
  readonly corner: Corner | null
  readonly lap: CornerFigures | null
  readonly reference: CornerFigures | null
  /** Seconds lost here against the reference; negative where some were gained. */
  readonly lossS: number
  /** The same in whole milliseconds, rounded so that all stretches add up to the whole gap in milliseconds. */
  readonly lossMs: number
}

/**
 * The whole lap in stretches, in driving order and without a hole, so that what is lost in each adds
 * up to the gap: `deltaTrace` at the line.
 */
export function compareCorners(
  corners: readonly Corner[],
  lap: LapTrack,
  reference: LapTrack,
): readonly CornerComparison[] {
  const { delta } = deltaTrace(lap, reference)
  let beforeS = 0
  return stretches(corners).map(({ name, startPct, endPct, corner }) => {
    const afterS = valueAt(delta, endPct)
    const lossS = afterS - beforeS
    const lossMs = Math.round(afterS * 1000) - Math.round(beforeS * 1000)
    beforeS = afterS
    return {
      kind: corner === null ? 'straight' : 'corner',
      name,
      startPct,
      endPct,
      corner,
      lap: corner === null ? null : NO_FIGURES,
      reference: corner === null ? null : NO_FIGURES,
      lossS,
      lossMs,
    }
  })
}

const NO_FIGURES: CornerFigures = { brakeM: null, minSpeedMps: null, throttleM: null }

interface Stretch {
  readonly name: string
  readonly startPct: number
  readonly endPct: number
  readonly corner: Corner | null
}

function stretches(corners: readonly Corner[]): Stretch[] {
  const all: Stretch[] = []
  let at = 0
  let from = 'Line'
  const straightTo = (startPct: number, to: string): void => {
    if (startPct > at) all.push({ name: `${from} to ${to}`, startPct: at, endPct: startPct, corner: null })
  }
  for (const corner of corners) {
    straightTo(corner.startPct, corner.name)
    all.push({ name: corner.name, startPct: corner.startPct, endPct: corner.endPct, corner })
    at = corner.endPct
    from = corner.name
  }
  straightTo(1, from === 'Line' ? 'line' : 'line')
  return all
}
