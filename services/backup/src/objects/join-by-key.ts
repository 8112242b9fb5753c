export interface Keyed {
  readonly key: string
}

/**
 * Yields each item of `left` with the item of `right` that has the same key, or null. Holds one item of each side. Both
 * must be in the order of keys; throws if they are not, because items would be missed.
 */
export async function* joinByKey<Left extends Keyed, Right extends Keyed>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
): AsyncGenerator<readonly [Left, Right | null]> {
  const rights = inOrder(right)
  try {
    let next = await rights.next()
    for await (const item of inOrder(left)) {
      while (!next.done && next.value.key < item.key) next = await rights.next()
      yield [item, !next.done && next.value.key === item.key ? next.value : null]
    }
  } finally {
    await rights.return(undefined)
  }
}

async function* inOrder<Item extends Keyed>(items: AsyncIterable<Item>): AsyncGenerator<Item, undefined> {
  let last: string | null = null
  for await (const item of items) {
    if (last !== null && item.key <= last) throw new Error(`keys are not in order: ${item.key} after ${last}`)
    last = item.key
    yield item
  }
  return undefined
}
