import { setTimeout as delay } from 'node:timers/promises'

/** Waits until `holds` returns true. Rejects with `what` in the message after `withinMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  withinMs = 30_000,
): Promise<void> {
  const startedAt = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs} ms without success: ${what}`)
    // Asks less often the longer it waits, because many conditions are calls of a service.
    await delay(Math.min(100, Math.max(10, waitedMs / 10)))
  }
}
