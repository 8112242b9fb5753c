/**
 * Runs the work for every item, at most `limit` at a time. Rejects with the first failure and starts no
 * further item.
 */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failed = new AbortController()
  const worker = async () => {
    for (const item of left) {
      if (failed.signal.aborted) return
      try {
        await work(item)
      } catch (error) {
        failed.abort()
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
}
