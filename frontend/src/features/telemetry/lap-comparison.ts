import { formatDelta } from '#shared/format/delta.ts'
import type { LapSeries } from './lap-series.ts'

/** A second lap beside the one looked at, and where that one gained and lost. */
export interface LapComparison {
  readonly reference: LapSeries
  /** Length of the axis both are drawn on: metres, or 100 where no length is known. */
  readonly lengthM: number
  /** Null where the lap looked at is not a whole one. */
  readonly delta: LapDelta | null
  /** In the order driven; empty where none were found. */
  readonly corners: readonly CornerPosition[]
}

/** By how much the lap is behind the reference, over even steps of the lap, both ends included. */
export interface LapDelta {
  /** Seconds; positive where the lap is slower up to here. The last is the gap at the line. */
  readonly seconds: Float64Array
  /** Seconds between the two laps' times as scored. */
  readonly scoredGapS: number
  /** Milliseconds by which the gap at the line misses the scored one. */
  readonly residualMs: number
}

/** A corner on the lap's distance, in metres from the line. */
export interface CornerPosition {
  /** "Turn 3", and "3" where there is little room. */
  readonly name: string
  readonly label: string
  readonly startM: number
  readonly apexM: number
  readonly endM: number
}

/** Seconds behind at a share of the lap; NaN where the share is none. */
export function deltaAt({ seconds }: LapDelta, share: number): number {
  const last = seconds.length - 1
  const at = Math.min(1, Math.max(0, share)) * last
  if (!Number.isFinite(at)) return Number.NaN
  const before = Math.min(last - 1, Math.floor(at))
  const after = at - before
  return seconds[before]! * (1 - after) + seconds[before + 1]! * after
}

/** The corner a place of the lap lies in, in metres; undefined on a straight. */
export function cornerAt(corners: readonly CornerPosition[], metre: number): CornerPosition | undefined {
  return corners.find(({ startM, endM }) => metre >= startM && metre <= endM)
}

/** Seconds as better, worse or neither, once written with three decimals. */
export function deltaSign(seconds: number): 'gain' | 'loss' | 'even' {
  if (seconds >= 0.0005) return 'loss'
  return seconds <= -0.0005 ? 'gain' : 'even'
}

/** How far the drawn delta can be trusted, in three parts of one sentence. */
interface ClosingWords {
  /** "+0.203 s" */
  readonly gap: string
  /** " at the line; closes to within 1 ms" */
  readonly within: string
  /** " of the scored +0.202 s" */
  readonly scored: string
}

export function closingWords({ seconds, scoredGapS, residualMs }: LapDelta): ClosingWords {
  // Rounded up: it is never further off than what is said. The hair is for what was meant to be a whole one.
  const withinMs = Math.max(1, Math.ceil(Math.abs(residualMs) - 1e-6))
  return {
    gap: `${formatDelta(seconds[seconds.length - 1]!)} s`,
    within: ` at the line; closes to within ${withinMs} ms`,
    scored: ` of the scored ${formatDelta(scoredGapS)} s`,
  }
}

/** "+0.312 s to Lap 5"; empty where there is no delta. */
export function deltaWords({ delta, reference }: LapComparison, share: number): string {
  const seconds = delta ? deltaAt(delta, share) : Number.NaN
  return Number.isFinite(seconds) ? `${formatDelta(seconds)} s to ${reference.name}` : ''
}
