import { setTimeout } from 'node:timers/promises'

/**
 * Returns the CPU time that this process spends on `work`, ms, user and system, including the engine's
 * threads.
 *
 * Waits before it starts: the engine still compiles this file's importer in the background, and no event
 * reports when it is done.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  await setTimeout(SETTLE_MS)
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const SETTLE_MS = 300
