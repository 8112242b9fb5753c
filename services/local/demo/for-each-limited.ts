import pLimit from 'p-limit'

/** Runs the work for all items, `limit` at a time. Rejects with the first failure and starts no more. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limited = pLimit(limit)
  await limited.map(items, async item => {
    try {
      await work(item)
    } catch (error) {
      limited.clearQueue()
      throw error
    }
  })
}
