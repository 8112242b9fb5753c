import asyncHooks from 'node:async_hooks'
import type { run } from 'node:test'

/**
 * Loads the `run` of `node:test` without its record of which test created which promise. The record costs a sixth of the CPU
 * of a test that makes many queries. Without it an error that nobody catches fails the file, not its test. Node has
 * no option for it, so that a version that loads the runner in another way only loses the speed.
 */
export async function loadTestRunner(): Promise<typeof run> {
  const { createHook } = asyncHooks
  asyncHooks.createHook = ({ init }) =>
    createHook({
      // Suites find their tests by this.
      init(id, type, trigger, resource) {
        if (type === 'Test') init?.(id, type, trigger, resource)
      },
    })
  try {
    return (await import('node:test')).run
  } finally {
    asyncHooks.createHook = createHook
  }
}
