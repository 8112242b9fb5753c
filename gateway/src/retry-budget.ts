/** Requests that earn one retry. */
const REQUESTS_PER_RETRY = 10

/** As many requests can fail together when a busy instance of a service stops. */
const MOST = 100

/**
 * Bounds retries to a tenth of the requests, after a first reserve of 100. Otherwise retries would double the
 * load of a service that is already failing.
 */
export function createRetryBudget() {
  let earned = MOST
  return {
    /** Counts a request. A retry is a request, too. */
    add() {
      earned = Math.min(MOST, earned + 1 / REQUESTS_PER_RETRY)
    },
    /** Returns whether there may be a retry now, and counts it. */
    take(): boolean {
      if (earned < 1) return false
      earned -= 1
      return true
    },
  }
}
