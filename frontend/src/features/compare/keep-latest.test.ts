import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepLatest } from './keep-latest.ts'

test('an answer is asked for once, also while it is on its way', async () => {
  const asked: string[] = []
  const kept = keepLatest(2, async key => {
    asked.push(key)
    return key.toUpperCase()
  })
  assert.deepEqual(await Promise.all([kept.get('a'), kept.get('a')]), ['A', 'A'])
  assert.equal(await kept.get('a'), 'A')
  assert.deepEqual(asked, ['a'])
})

test('the answer that was not used for longest makes room', async () => {
  const asked: string[] = []
  const kept = keepLatest(2, async key => void asked.push(key))
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await kept.get(key)
  assert.deepEqual(asked, ['a', 'b', 'c', 'b'])
})

test('a failure is asked for again, and so is everything after a clear', async () => {
  let times = 0
  const kept = keepLatest(2, async () => {
    times++
    if (times === 1) throw new Error('no')
    return times
  })
  await assert.rejects(kept.get('a'))
  assert.equal(await kept.get('a'), 2)
  kept.clear()
  assert.equal(await kept.get('a'), 3)
})
