import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a condition. Fails if it does not become true within 15 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, 'the condition was not reached within 15 s')
    await delay(10)
  }
}
