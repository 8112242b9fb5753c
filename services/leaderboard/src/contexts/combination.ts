import type { components } from '@lapwing/contracts/internal'

/** A combination as ingest sends it. Its track has its own names, the first ones that ingest saw. */
export type NamedCombination = components['schemas']['Combination']

/** Simulator, track, layout and car of a board (D-4). */
export type Combination = Pick<NamedCombination, 'sim' | 'track_slug' | 'layout' | 'car_slug'>

/** Returns whether a text can be a name: only names like those of a simulator's sessions have boards. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_][a-z0-9_-]{0,99}$/.test(text)
}
