/**
 * Runs the items of the queues, one item a lane at a time. Each lane starts with its own queue and continues
 * with the others. A queue without a lane waits until a lane is done with its own. Rejects if an item fails.
 */
export async function runInLanes<T>(options: {
  readonly queues: readonly (readonly T[])[]
  readonly lanes: number
  readonly run: (item: T) => Promise<void>
}): Promise<void> {
  const { lanes, run } = options
  const queues = options.queues.map(queue => [...queue])
  const lane = async (own: number) => {
    const inOrder = [...queues.slice(own), ...queues.slice(0, own)]
    for (;;) {
      const queue = inOrder.find(queue => queue.length > 0)
      if (queue === undefined) return
      await run(queue.shift()!)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index % queues.length)))
}
