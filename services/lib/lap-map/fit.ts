/** Free pixels around the fitted lap (spec 001, 9). */
export const FIT_PADDING = 20

/** Returns the pixels of a view's width or height that a fitted lap can fill, 1 at least. */
export const fittedPixels = (size: number): number => Math.max(1, size - 2 * FIT_PADDING)
