import type { LapTrack } from './lap-track.ts'

/** A corner of a track, as shares of the lap. Within 0..1: none lies across the line. */
export interface Corner {
  /** `Turn 1` is the first behind the line. */
  readonly name: string
  /** Where the car begins to turn. */
  readonly startPct: number
  /** Where it is slowest; where the speed is not known, where it turns most. */
  readonly apexPct: number
  /** Where it runs straight again. */
  readonly endPct: number
  readonly direction: 'left' | 'right'
}

/** The corners of the lap a comparison is made with, in driving order; none where nothing tells how it turns. */
export function findCorners(_reference: LapTrack): readonly Corner[] {
  return []
}
