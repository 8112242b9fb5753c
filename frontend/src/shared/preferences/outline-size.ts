import { localPreference } from '#shared/storage/local-store.ts'

/** The lowest share of its full height that the outline keeps. */
export const MIN_OUTLINE_SIZE = 0.35

/** How high the outline is, as a share of its full height; 1 by default, which is 60 % of its width. */
export const outlineSize = localPreference<number>({
  key: 'lapwing.outline-size',
  parse: stored => limitOutlineSize(Number(stored ?? 1)),
  format: String,
})

/** Limits to `MIN_OUTLINE_SIZE`..1, in whole percent; 1 if it is not a number. */
export function limitOutlineSize(size: number): number {
  const whole = Math.round(100 * size) / 100
  return whole >= MIN_OUTLINE_SIZE && whole <= 1 ? whole : whole < MIN_OUTLINE_SIZE ? MIN_OUTLINE_SIZE : 1
}
