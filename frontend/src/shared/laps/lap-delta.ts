/** How far a lap is behind its reference, at even steps of the lap, both ends included. */
export interface LapDelta {
  /** Seconds; positive if the lap is slower up to here. The last one is the gap at the line. */
  readonly seconds: Float64Array
  /** Seconds between the scored times of the two laps. */
  readonly scoredGapS: number
  /** Milliseconds between the gap at the line and the scored one. */
  readonly residualMs: number
}
