/** Simulator, track, layout and car of a board (D-4). */
export interface Combination {
  readonly sim: string
  readonly trackSlug: string
  readonly layout: string
  readonly carSlug: string
}

/** A combination as ingest sends it. Its track has its own names, the first ones that ingest saw. */
export interface NamedCombination extends Combination {
  /** Another name of the track in the same simulator and layout; null if there is none. */
  readonly aliasSlug: string | null
  readonly trackLabel: string
  readonly carLabel: string
  /** The simulator's own numbers, stored as information; null if it has none. */
  readonly trackId: number | null
  readonly carId: number | null
}

/** A combination in requests and events. */
export interface WireCombination {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
}

export function toCombination({ sim, track_slug, layout, car_slug }: WireCombination): Combination {
  return { sim, trackSlug: track_slug, layout, carSlug: car_slug }
}

/** Lower case letters, digits, underscores and hyphens, as in names from a simulator's sessions. */
export const SLUG_PATTERN = '^[a-z0-9_][a-z0-9_-]{0,99}$'

export function isSlug(text: string): boolean {
  return new RegExp(SLUG_PATTERN).test(text)
}

/** Returns whether all names are valid slugs, so that a board can exist. */
export function isNamed({ sim, trackSlug, layout, carSlug }: Combination): boolean {
  return [sim, trackSlug, layout, carSlug].every(isSlug)
}
