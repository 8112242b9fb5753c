import type { Board } from './board.ts'

/** What a change made old: whoever keeps a copy of it must ask again once the change is committed. */
export interface Touched {
  readonly boards: readonly Board[]
  /** Which tracks and cars have a lap, or what they are called. */
  readonly catalogue: boolean
}

export const nothingTouched: Touched = { boards: [], catalogue: false }
