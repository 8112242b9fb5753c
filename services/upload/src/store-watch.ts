import type { ObjectStore } from '@lapwing/object-store'
import type { Logger } from 'pino'

export type StoreWatch = ReturnType<typeof createStoreWatch>

/** Checks the store on demand. One check runs at a time, and its result is valid for `validForMs`. */
export function createStoreWatch(
  store: Pick<ObjectStore, 'check'>,
  logger: Pick<Logger, 'warn' | 'info'>,
  validForMs = { up: 5_000, down: 1_000 },
) {
  let cached: { readonly isUp: boolean; readonly untilMs: number } | null = null
  let checking: Promise<boolean> | null = null

  async function check(): Promise<boolean> {
    const problem = await store.check().then(
      () => null,
      (error: unknown) => error,
    )
    const isUp = problem === null
    if (!isUp && cached?.isUp !== false) logger.warn({ err: problem }, 'the object store cannot be reached')
    if (isUp && cached?.isUp === false) logger.info('the object store is back')
    cached = { isUp, untilMs: performance.now() + (isUp ? validForMs.up : validForMs.down) }
    checking = null
    return isUp
  }

  return {
    /** Returns whether the store answered the last check, which is at most a few seconds old. */
    async isUp(): Promise<boolean> {
      if (cached !== null && performance.now() < cached.untilMs) return cached.isUp
      checking ??= check()
      return checking
    },
  }
}
