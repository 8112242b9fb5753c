import type { Lap } from '@lapwing/telemetry'
import type { LapTrack } from '@lapwing/telemetry/compare'

/** Its name, wherever it is shown: nobody drove it. */
export const IDEAL_LAP = 'Ideal lap'

/** A part of the ideal lap, from a lap of the session. */
export interface PartOfLap {
  readonly lap: Lap
  /** Shares of the lap. */
  readonly fromPct: number
  readonly toPct: number
}

/** The ideal lap of a session, or why it has none. */
export type IdealState =
  | { readonly kind: 'pending' }
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'found'; readonly track: LapTrack; readonly parts: readonly PartOfLap[] }
