import { BoardError } from './board-error.ts'

/** Retries of a call, as the leaderboard's specification says. */
const RETRIES = { rateLimited: 3, other: 2 } as const

const FIRST_WAIT_MS = 1000
/** Milliseconds. A server can ask for a longer wait than a person at the screen would accept. */
const LONGEST_WAIT_MS = 30_000

/**
 * Retries a failed call: up to 3 times after 429, never after 401, otherwise up to 2 times. Waits 1, 2, 4 s,
 * or as long as the server asks. Rejects with the last error.
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
