import { setTimeout } from 'node:timers/promises'

/**
 * CPU time in ms, user and system, that this process spends on `work`, threads of the engine
 * included.
 *
 * Waits before it starts: the engine is still compiling, in the background, what imported this, and
 * nothing tells when it is done.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  await setTimeout(SETTLE_MS)
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const SETTLE_MS = 300
