import { BoardError } from './board-error.ts'

/** How often a call of the specification's leaderboard is repeated. */
const RETRIES = { rateLimited: 3, other: 2 } as const

const FIRST_WAIT_MS = 1000
/** A server may ask for a longer wait than a person at the screen would understand. */
const LONGEST_WAIT_MS = 30_000

/**
 * Repeats a call that failed: one that came too often (429) up to 3 times, one without a session (401)
 * never, any other up to 2 times. Waits 1, 2, 4 s, or as long as the server asks.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await call()
    } catch (error) {
      if (tried >= retriesAfter(error)) throw error
      await wait(waitMs(error, tried))
    }
  }
}

function retriesAfter(error: unknown): number {
  const status = error instanceof BoardError ? error.status : null
  if (status === 401) return 0
  return status === 429 ? RETRIES.rateLimited : RETRIES.other
}

function waitMs(error: unknown, tried: number): number {
  const askedS = error instanceof BoardError ? error.retryAfterS : null
  const ms = Math.max(FIRST_WAIT_MS * 2 ** tried, (askedS ?? 0) * 1000)
  return Math.min(ms, LONGEST_WAIT_MS)
}
