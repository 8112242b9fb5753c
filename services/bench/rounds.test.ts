import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, pairedRatio, rounds } from './rounds.ts'

test('subjects are measured in turn, every second round backwards', async () => {
  const calls: string[] = []
  const subject = (name: string) => async () => calls.push(name)
  const values = await rounds(3, [subject('a'), subject('b')])
  assert.equal(calls.join(''), 'abbaab')
  assert.deepEqual(values, [
    [1, 4, 5],
    [2, 3, 6],
  ])
})

test('the median of an even count lies between the middle two', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([4, 1, 2, 9]), 3)
})

test('a round that was slow for both does not change the ratio', () => {
  assert.equal(pairedRatio([10, 100, 12], [20, 200, 24]), 0.5)
})
