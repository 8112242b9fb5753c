import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOutWords, skipWords } from './skip-words.ts'

test('has a text for each reason to skip a lap, and one for unknown reasons', () => {
  const reasons = [
    'no_complete_lap',
    'not_faster',
    'already_ingested',
    'lap_saved',
    'held_for_review',
    'a reason of tomorrow',
  ]
  assert.deepEqual(reasons.map(skipWords), [
    'No complete lap to save',
    'No faster than your lap on the leaderboard',
    'This file was saved before',
    'Its best lap was saved before',
    'Your lap is held for review',
    'Your fastest lap is saved already',
  ])
})

test('says how many laps of a file are not stored, and nothing if all are', () => {
  assert.deepEqual([undefined, 1, 1234].map(leftOutWords), [
    '',
    '. 1 slower lap of this file is not kept: the fastest 2,000 are.',
    '. 1,234 slower laps of this file are not kept: the fastest 2,000 are.',
  ])
})
