/** Milliseconds from a successful refresh to the next one in the background. */
export const REFRESH_EVERY_MS = 180_000

const BACKOFF_MS = 2000
const MAX_ATTEMPT = 7
const JITTER_MS = 175

/**
 * Returns milliseconds until the next try after `attempt` failures in a row (1, 2, …): 2 s × 2^attempt, with
 * the attempt limited to 7. Up to 175 ms more or less keep tabs and drivers from retrying at the same moment.
 *
 * @param random returns a number from 0 to 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  const jitter = (random() * 2 - 1) * JITTER_MS
  return BACKOFF_MS * 2 ** Math.min(attempt, MAX_ATTEMPT) + jitter
}
