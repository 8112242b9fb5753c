import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, pairedInterval, pairedRatio, rounds } from './rounds.ts'

test('measures subjects in turn, every second round backwards', async () => {
  const calls: string[] = []
  const subject = (name: string) => async () => calls.push(name)
  const values = await rounds(3, [subject('a'), subject('b')])
  assert.equal(calls.join(''), 'abbaab')
  assert.deepEqual(values, [
    [1, 4, 5],
    [2, 3, 6],
  ])
})

test('returns a median between the middle two of an even count', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([4, 1, 2, 9]), 3)
})

test('keeps the ratio in a round that is slow for both', () => {
  assert.equal(pairedRatio([10, 100, 12], [20, 200, 24]), 0.5)
})

test('returns the interval of the average ratio by the spread of the rounds', () => {
  const { low, high } = pairedInterval([10, 11, 12, 13], [10, 10, 10, 10])
  assert.ok(Math.abs(low - 0.956) < 0.003, `${low}`)
  assert.ok(Math.abs(high - 1.37) < 0.003, `${high}`)
})
