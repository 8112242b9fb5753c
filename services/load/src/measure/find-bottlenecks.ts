import type { Usage } from './probe.ts'

/** Names what is at its limit, the most serious first, each in a sentence. Empty if nothing is. */
export function findBottlenecks({
  machineBusy,
  seconds,
  cpuS,
  loopDelayMs,
  waitingQueries,
  waitingFiles,
}: Usage): readonly string[] {
  const found: string[] = []
  if (machineBusy !== null && machineBusy >= BUSY_SHARE) {
    const most = Object.entries(cpuS)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([part, value]) => `${part} ${(value / seconds).toFixed(2)}`)
    found.push(`processors: ${Math.round(machineBusy * 100)} % in use, most cores by ${most.join(', ')}`)
  }
  for (const [part, ms] of Object.entries(loopDelayMs)) {
    if (ms >= SLOW_LOOP_MS) found.push(`event loop of ${part}: delays of ${Math.round(ms)} ms (p99)`)
  }
  for (const [part, count] of Object.entries(waitingQueries)) {
    if (count >= MANY_QUERIES) found.push(`database pool of ${part}: ${count} queries wait`)
  }
  if (waitingFiles >= MANY_FILES) found.push(`judging: ${waitingFiles} files wait for a worker`)
  return found
}

const BUSY_SHARE = 0.9
const SLOW_LOOP_MS = 100
/** As many as a pool has connections: a query then waits for another whole one. */
const MANY_QUERIES = 10
const MANY_FILES = 10
