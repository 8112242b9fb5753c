import { formatDelta } from '#shared/format/delta.ts'
import type { LapDelta } from '#shared/laps/lap-delta.ts'
import type { LapRole, LapSeries } from './lap-series.ts'

/** A reference beside the main lap, and where the main lap gained and lost time to it. */
export interface LapComparison {
  readonly reference: LapSeries
  /** Length of the shared axis: metres, or 100 if no length is known. */
  readonly lengthM: number
  /** Null if the main lap is not a complete one. */
  readonly delta: LapDelta | null
  /** In the order driven; empty if none were found. */
  readonly corners: readonly CornerPosition[]
  /** In the order driven. */
  readonly incidents: readonly IncidentPosition[]
}

/** An incident on the lap's distance, in metres from the line. */
export interface IncidentPosition {
  /** "Off in Turn 5". */
  readonly name: string
  /** "Off". */
  readonly label: string
  readonly of: LapRole
  readonly startM: number
  readonly endM: number
  /** Seconds that it cost the lap; negative if it cost the reference time. */
  readonly lossS: number
}

/** A corner on the lap's distance, in metres from the line. */
export interface CornerPosition {
  /** "Turn 3"; the short form is "3". */
  readonly name: string
  readonly label: string
  readonly startM: number
  readonly apexM: number
  readonly endM: number
}

/** Returns the seconds behind at a share of the lap; NaN if the share is NaN. */
export function deltaAt({ seconds }: LapDelta, share: number): number {
  const last = seconds.length - 1
  const at = Math.min(1, Math.max(0, share)) * last
  if (!Number.isFinite(at)) return Number.NaN
  const before = Math.min(last - 1, Math.floor(at))
  const after = at - before
  return seconds[before]! * (1 - after) + seconds[before + 1]! * after
}

/** Returns the corner at a distance in metres; undefined on a straight. */
export function cornerAt(corners: readonly CornerPosition[], metre: number): CornerPosition | undefined {
  return corners.find(({ startM, endM }) => metre >= startM && metre <= endM)
}

/** Classifies seconds as gain, loss or neither, after rounding to the three decimals that are shown. */
export function deltaSign(seconds: number): 'gain' | 'loss' | 'even' {
  if (seconds >= 0.0005) return 'loss'
  return seconds <= -0.0005 ? 'gain' : 'even'
}

/** The share of the lap at a row. The last row of a whole lap counts as the line, so that the gap can be read. */
export function shareAt({ preview, lap }: Pick<LapSeries, 'preview' | 'lap'>, row: number): number {
  return lap.is_completed && row === lap.row_end ? 1 : preview.lapDistPct[row]!
}

/** A recording that misses the official gap by less is not worth a word. */
const MISSED_MS = 2

/** Describes the gap at the line, and what the recordings miss of it; null if that is next to nothing. */
export function gapWords({ seconds, missedMs }: LapDelta) {
  const missed = Math.abs(missedMs)
  return {
    gap: `${formatDelta(seconds[seconds.length - 1]!)} s`,
    missed: missed > MISSED_MS ? `the recordings miss it by ${Math.ceil(missed - 1e-6)} ms` : null,
  }
}

/** Formats "+0.312 s to Lap 5"; empty without a delta. */
export function deltaWords({ delta, reference }: LapComparison, share: number): string {
  const seconds = delta ? deltaAt(delta, share) : Number.NaN
  return Number.isFinite(seconds) ? `${formatDelta(seconds)} s to ${reference.name}` : ''
}
