/** What a board is of (D-4). */
export interface Combination {
  readonly sim: string
  readonly trackSlug: string
  readonly layout: string
  readonly carSlug: string
}

/** A combination as a session names it. */
export interface NamedCombination extends Combination {
  readonly trackLabel: string
  readonly carLabel: string
  /** The simulator's own numbers; null where it has none. */
  readonly trackId: number | null
  readonly carId: number | null
}

/** Lower case letters, digits, underscores and hyphens, as ingest makes them. Anything else names nothing. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_][a-z0-9_-]{0,99}$/.test(text)
}
