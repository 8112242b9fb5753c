/** Milliseconds between a refresh that worked and the next one in the background. */
export const REFRESH_EVERY_MS = 180_000

const BACKOFF_MS = 2000
const MAX_ATTEMPT = 7
const JITTER_MS = 175

/**
 * Milliseconds until the next try after `attempt` failures in a row (1, 2, …): 2 s × 2^attempt, the
 * attempt capped at 7, give or take 175 ms so that tabs and people do not come all at once.
 *
 * @param random a number from 0 to 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  const jitter = (random() * 2 - 1) * JITTER_MS
  return BACKOFF_MS * 2 ** Math.min(attempt, MAX_ATTEMPT) + jitter
}
