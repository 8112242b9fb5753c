import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinByKey, type Keyed } from './join-by-key.ts'

async function* items(...keys: readonly string[]): AsyncGenerator<Keyed> {
  for (const key of keys) yield { key }
}

async function joined(left: readonly string[], right: readonly string[]) {
  const pairs: (readonly [string, string | null])[] = []
  for await (const [one, other] of joinByKey(items(...left), items(...right))) {
    pairs.push([one.key, other?.key ?? null])
  }
  return pairs
}

test('finds the item of the other side with the same key, or none', async () => {
  assert.deepEqual(await joined(['a', 'c', 'd', 'f'], ['b', 'c', 'd', 'e']), [
    ['a', null],
    ['c', 'c'],
    ['d', 'd'],
    ['f', null],
  ])
  assert.deepEqual(await joined([], ['a']), [])
  assert.deepEqual(await joined(['a'], []), [['a', null]])
})

test('fails for a side that is not in order, because items would be missed', async () => {
  await assert.rejects(joined(['b', 'a'], []), /keys are not in order: a after b/)
  await assert.rejects(joined(['a', 'z'], ['c', 'b', 'd']), /keys are not in order: b after c/)
})
