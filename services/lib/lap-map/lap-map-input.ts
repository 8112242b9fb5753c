import type { PedalState } from './pedal-segments.ts'
import type { Positions } from './positions.ts'

/** What the map of laps draws (spec 001, 3). All arrays have one entry a sample. */
export interface LapMapInput extends Positions {
  /** Metres; a value that is not finite counts as 0. */
  readonly alt: ArrayLike<number>
  /** Travel from 0 to 1; a value that is not finite counts as 0. */
  readonly throttle: ArrayLike<number>
  readonly brake: ArrayLike<number>
  readonly laps: readonly LapRows[]
  /** Numbers of the laps that are drawn. */
  readonly selection: ReadonlySet<number>
  /** Pairs of samples that a line connects. */
  readonly boundaryPairs: readonly (readonly [number, number])[]
  /** The drawn line is at most this far from the samples. */
  readonly decimateToleranceMeters: number
  /** Colours of the pedal states; the specification's by default. */
  readonly colors?: Partial<PedalColors>
  /** Colour of a sample without a pedal; white by default. */
  readonly neutralColor?: string
  /** Colours that replace those of the pedals. */
  readonly classes?: ColorClasses
}

/** Colours of samples, for example by speed. */
export interface ColorClasses {
  readonly colors: readonly string[]
  /** The pedal state whose line style a colour has; `throttle` by default. */
  readonly states?: readonly PedalState[]
  /** Returns the index of a sample's colour. */
  readonly classOf: (sample: number) => number
}

/** Samples `row_start..row_end` of a lap, both inclusive. */
export interface LapRows {
  readonly lap: number
  readonly row_start: number
  readonly row_end: number
}

export interface PedalColors {
  readonly throttle: string
  readonly brake: string
}

/** Spec 001, 9. */
export const PEDAL_COLORS: PedalColors = { throttle: '#10b981', brake: '#ef4444' }
export const NEUTRAL_COLOR = '#ffffff'

/** A line through samples. The arrays have one entry a point, two points at least. */
export interface LapLine {
  readonly lat: Float64Array
  /** Degrees without a jump at 180°, as in `KnownPositions`. */
  readonly lon: Float64Array
  /** Samples of the points, ascending. */
  readonly indices: Uint32Array
}

/** A line through samples of one pedal state. */
export interface LapPath extends LapLine {
  readonly color: string
  /** The pedal state of the colour; `throttle` for a colour of another kind. */
  readonly state: PedalState
  /** Metres; 0 if the altitude is missing. */
  readonly alt: Float32Array
}
