import type { components } from '@lapwing/contracts/leaderboard'

/** A driver's lap on a board. Its first three fields are the order of the board (D-8). */
export interface Entry {
  readonly timeMs: number
  /** Microseconds since 1970. */
  readonly recordedUs: number
  readonly lapId: string
  readonly isClean: boolean
}

/** A position in the order of a board. Its entry may be gone. */
export type OrderKey = Pick<Entry, 'timeMs' | 'recordedUs' | 'lapId'>

/** An entry as the database stores it. */
export interface StoredEntry extends Entry {
  /** False if a moderator hides the lap or its driver. */
  readonly isCounted: boolean
}

/** Facts of a lap that boards show; each is null if it is not known. */
export interface LapFacts {
  /** Milliseconds since 1970. */
  readonly drivenMs: number | null
  readonly sessionKind: SessionKind | null
  /** °C. */
  readonly airTempC: number | null
  /** 0 Clear to 3 Overcast. */
  readonly skies: number | null
}

export type SessionKind = NonNullable<components['schemas']['Row']['session_kind']>

/** An entry as a page shows it. */
export interface Row extends Entry {
  readonly facts: LapFacts
  /** From 1, without gaps and never shared (D-8). */
  readonly rank: number
  readonly userId: string
  readonly displayName: string
  /** Other drivers can use the lap as a reference. */
  readonly isShared: boolean
}

/** Compares two positions; negative if `a` is before `b`. */
export function compareOrder(a: OrderKey, b: OrderKey): number {
  return (
    a.timeMs - b.timeMs || a.recordedUs - b.recordedUs || (a.lapId < b.lapId ? -1 : a.lapId > b.lapId ? 1 : 0)
  )
}
