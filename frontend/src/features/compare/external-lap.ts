import type { LapTrack } from '@lapwing/telemetry/compare'
import type { Combination } from '#shared/boards/combination.ts'

/** A lap of a board, taken as a reference. */
export interface ExternalLap {
  readonly lapId: string
  /** Of the driver. */
  readonly name: string
  readonly timeMs: number
  readonly combination: Combination
  readonly track: LapTrack
}
