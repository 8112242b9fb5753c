import type { Readable } from '#shared/store/store.ts'

/** A lap as the other views show it. The app layer lends it, because features do not import each other. */
export interface ShownLap {
  /** "Lap 3". */
  readonly name: string
  readonly rowStart: number
  readonly rowEnd: number
  /** Metres from the line, one value a row; NaN for blank rows. They can decrease. */
  readonly metres: Float64Array
}

/** A part of the lap, in metres from the line. */
export interface ShownRange {
  readonly minM: number
  readonly maxM: number
  /** The corner or straight that the driver chose, if any. */
  readonly chosen?: { readonly name: string; readonly startM: number; readonly endM: number } | undefined
}

/** The cursor and the shown part of the lap, which all views of a session share. */
export interface LapViews {
  readonly lap: ShownLap
  /** The reference, if it is a lap of the same file; otherwise null. */
  readonly reference: ShownLap | null
  readonly cursor: Readable<{ readonly row: number | null; readonly locked: boolean }> & {
    hover(row: number | null): void
    toggleLock(row: number | null): void
  }
  /** Null is the whole lap. */
  readonly range: Readable<ShownRange | null>
  readonly full: ShownRange
  /** Zooms around a distance; a factor above 1 is closer. Returns false if nothing changed. */
  zoom(factor: number, aroundM: number): boolean
  pan(byM: number): void
  reset(): void
  /** Returns the row of the lap nearest to a distance; null without one. */
  rowAt(metre: number): number | null
  /** Returns the index into `reference.metres` at the position of a row of the lap; null without one. */
  referenceIndexAt(row: number): number | null
  /** Handles the keys that move the cursor and zoom. */
  onKeyDown(event: KeyboardEvent): void
}
