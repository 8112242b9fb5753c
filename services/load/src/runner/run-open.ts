import { setTimeout as delay } from 'node:timers/promises'

/** A clock that a test can replace. */
export interface Clock {
  /** Milliseconds from any start. */
  readonly now: () => number
  /** Resolves at this time, or immediately if it is over. */
  readonly until: (timeMs: number) => Promise<void>
}

export const realClock: Clock = {
  now: () => performance.now(),
  async until(timeMs) {
    const leftMs = timeMs - performance.now()
    if (leftMs > 0) await delay(leftMs)
  },
}

export interface OpenRun {
  /** When iterations start, ms from the start of the run, in order. */
  readonly arrivals: Iterable<number>
  /** Iterations in progress at the same time; further ones are dropped. */
  readonly maxInFlight: number
  /** Must not reject. Receives its number and its scheduled start on the clock. */
  readonly iterate: (number: number, scheduledAtMs: number) => Promise<void>
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

export interface OpenResult {
  readonly started: number
  /** Iterations that did not start because too many were in progress. */
  readonly dropped: number
  /** The longest delay between a scheduled start and the real one, ms: the runner's own fault. */
  readonly latestStartMs: number
  /** From the start until the last iteration ended, ms. */
  readonly tookMs: number
}

/**
 * Starts iterations when they are due, however slow earlier ones are (open model). So a slow system gets no
 * fewer iterations, and each counts its time from its scheduled start: nothing is omitted in the slow moments.
 */
export async function runOpen({
  arrivals,
  maxInFlight,
  iterate,
  clock = realClock,
  signal,
}: OpenRun): Promise<OpenResult> {
  const startMs = clock.now()
  const inFlight = new Set<Promise<void>>()
  let started = 0
  let dropped = 0
  let latestStartMs = 0
  for (const arrivalMs of arrivals) {
    if (signal?.aborted) break
    const dueMs = startMs + arrivalMs
    await clock.until(dueMs)
    if (inFlight.size >= maxInFlight) {
      dropped++
      continue
    }
    latestStartMs = Math.max(latestStartMs, clock.now() - dueMs)
    const iteration = iterate(started, dueMs)
    started++
    inFlight.add(iteration)
    void iteration.finally(() => inFlight.delete(iteration))
  }
  await Promise.all(inFlight)
  return { started, dropped, latestStartMs, tookMs: clock.now() - startMs }
}
