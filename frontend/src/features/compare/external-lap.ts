import type { LapTrack } from '@lapwing/telemetry/compare'
import type { Combination } from '#shared/boards/combination.ts'

/** A lap of a board that is the reference. */
export interface ExternalLap {
  readonly lapId: string
  /** The driver's name. */
  readonly name: string
  readonly timeMs: number
  readonly combination: Combination
  readonly track: LapTrack
}
