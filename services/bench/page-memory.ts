import { readFileSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Milliseconds between two looks at the processes. */
const LOOK_MS = 50

/**
 * Returns the most memory that the process of the page has while `work` runs, in bytes: without the browser's code,
 * with its workers. Null on systems without `/proc`.
 */
export async function peakMemory(page: Page, work: () => Promise<void>): Promise<number | null> {
  if (process.platform !== 'linux') {
    await work()
    return null
  }
  const system = await page.context().browser()!.newBrowserCDPSession()
  let most = 0
  const look = async () => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo')
    // The others are pages that are kept ready, and small.
    for (const { type, id } of processInfo) if (type === 'renderer') most = Math.max(most, ownBytes(id))
  }
  const done = new AbortController()
  const looking = (async () => {
    for await (const _ of setInterval(LOOK_MS, undefined, { signal: done.signal })) await look()
  })().catch(error => {
    if (!done.signal.aborted) throw error
  })
  try {
    await work()
    await look()
  } finally {
    done.abort()
    await looking
    await system.detach()
  }
  return most
}

/** Returns the resident bytes of a process that no file backs; 0 if it has ended. */
function ownBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return ['RssAnon', 'RssShmem'].reduce(
      (sum, name) => sum + 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]),
      0,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
