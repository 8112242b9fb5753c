import type { ObjectStore } from '@lapwing/object-store'
import type { Logger } from 'pino'

export interface StoreWatch {
  /** Whether the store took our last question, asked at most a few seconds ago. */
  isUp(): Promise<boolean>
}

/** Asks the store for its bucket, one question at a time and no more often than answers change. */
export function createStoreWatch(
  store: Pick<ObjectStore, 'check'>,
  logger: Pick<Logger, 'warn' | 'info'>,
  goodForMs = { up: 5_000, down: 1_000 },
): StoreWatch {
  let known: { readonly isUp: boolean; readonly untilMs: number } | null = null
  let asking: Promise<boolean> | null = null

  async function ask(): Promise<boolean> {
    const problem = await store.check().then(
      () => null,
      (error: unknown) => error,
    )
    const isUp = problem === null
    if (!isUp && known?.isUp !== false) logger.warn({ err: problem }, 'the object store cannot be reached')
    if (isUp && known?.isUp === false) logger.info('the object store is back')
    known = { isUp, untilMs: performance.now() + (isUp ? goodForMs.up : goodForMs.down) }
    asking = null
    return isUp
  }

  return {
    async isUp() {
      if (known !== null && performance.now() < known.untilMs) return known.isUp
      asking ??= ask()
      return asking
    },
  }
}
