import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipWords } from './skip-words.ts'

test('each reason to skip a lap has words of its own, also one that is not known yet', () => {
  const reasons = ['no_complete_lap', 'not_faster', 'already_ingested', 'a reason of tomorrow']
  assert.deepEqual(reasons.map(skipWords), [
    'No complete lap to save',
    'No faster than your lap on the leaderboard',
    'This file was saved before',
    'Your fastest lap is saved already',
  ])
})
