/** A driver's lap on a board. Its first three fields are the order of the board (D-8). */
export interface Entry {
  readonly timeMs: number
  /** Microseconds since 1970. */
  readonly recordedUs: number
  readonly lapId: string
  readonly isClean: boolean
}

/** The order of a board, as a position that may hold no entry any more. */
export type OrderKey = Pick<Entry, 'timeMs' | 'recordedUs' | 'lapId'>

/** An entry as it is kept; one that a moderator hides is not counted. */
export interface StoredEntry extends Entry {
  readonly isCounted: boolean
}

/** An entry as a page shows it. */
export interface Row extends Entry {
  /** 1 for the first; without gaps and never shared (D-8). */
  readonly rank: number
  readonly userId: string
  readonly displayName: string
  /** Other drivers can use the lap as a reference. */
  readonly isShared: boolean
}

/** Negative where `a` stands before `b`. */
export function compareOrder(a: OrderKey, b: OrderKey): number {
  return (
    a.timeMs - b.timeMs || a.recordedUs - b.recordedUs || (a.lapId < b.lapId ? -1 : a.lapId > b.lapId ? 1 : 0)
  )
}
