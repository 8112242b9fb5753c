import { setTimeout as delay } from 'node:timers/promises'

/** Waits until `holds` returns true. Rejects with `what` in the message after `withinMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  withinMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms without success: ${what}`)
    await delay(10)
  }
}
