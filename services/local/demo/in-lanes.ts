/** Does the work for every item, so many at a time; the first failure ends it all. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failed = new AbortController()
  const lane = async () => {
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
  await Promise.all(Array.from({ length: lanes }, lane))
}
