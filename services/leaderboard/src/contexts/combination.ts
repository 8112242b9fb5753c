/** What a board is of (D-4). */
export interface Combination {
  readonly sim: string
  readonly trackSlug: string
  readonly layout: string
  readonly carSlug: string
}

/** A combination as ingest knows it, by the track's own names: those with which it first came. */
export interface NamedCombination extends Combination {
  /** What else the track is called, in the same simulator and layout. */
  readonly aliasSlug: string | null
  readonly trackLabel: string
  readonly carLabel: string
  /** The simulator's own numbers, kept as information; null where it has none. */
  readonly trackId: number | null
  readonly carId: number | null
}

/** The form in which combinations travel. */
export interface WireCombination {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
}

export function toCombination({ sim, track_slug, layout, car_slug }: WireCombination): Combination {
  return { sim, trackSlug: track_slug, layout, carSlug: car_slug }
}

/** Lower case letters, digits, underscores and hyphens, as sessions are named. Anything else names nothing. */
export const SLUG_PATTERN = '^[a-z0-9_][a-z0-9_-]{0,99}$'

export function isSlug(text: string): boolean {
  return new RegExp(SLUG_PATTERN).test(text)
}

/** Whether there can be a board of it. */
export function isNamed({ sim, trackSlug, layout, carSlug }: Combination): boolean {
  return [sim, trackSlug, layout, carSlug].every(isSlug)
}
