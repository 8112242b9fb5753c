import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchCapacity } from './search-capacity.ts'

/** Tries a system that carries up to `capacity` arrivals a second. */
const search = (capacity: number, { from = 10, upTo = 1_000 } = {}) =>
  searchCapacity({
    from,
    upTo,
    attempt: async rate => ({ crossed: rate > capacity ? ['too slow'] : [], result: null }),
  })

const carriedBy = (tried: Awaited<ReturnType<typeof search>>) =>
  Math.max(...tried.filter(({ crossed }) => crossed.length === 0).map(({ rate }) => rate))

test('finds the highest carried rate, at most an eighth too low', async () => {
  for (let capacity = 10; capacity < 700; capacity += 7) {
    const carried = carriedBy(await search(capacity))
    assert.ok(carried <= capacity && carried >= capacity / 1.125, `${carried} of ${capacity}`)
  }
})

test('ends at the highest rate that it may try', async () => {
  assert.deepEqual(
    (await search(1e9, { upTo: 30 })).map(({ rate }) => rate),
    [10, 15, 22.5, 30],
  )
})

test('ends after the first rate if that one is too high', async () => {
  assert.deepEqual(
    (await search(5)).map(({ rate }) => rate),
    [10],
  )
})
