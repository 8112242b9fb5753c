import type { Board } from './board.ts'

/** Everything that a change made stale. Its cached copies must be dropped after the commit. */
export interface Touched {
  readonly boards: readonly Board[]
  /** Whether the lists of tracks and cars, or their names, changed. */
  readonly catalogue: boolean
}

export const nothingTouched: Touched = { boards: [], catalogue: false }
