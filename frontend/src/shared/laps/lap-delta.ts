/** How far a lap is behind its reference, at even steps of the lap, both ends included. */
export interface LapDelta {
  /** Seconds; positive if the lap is slower up to here. The last one is the gap of the scored times. */
  readonly seconds: Float64Array
  /** Milliseconds by which the recordings alone would miss that gap. */
  readonly missedMs: number
}
