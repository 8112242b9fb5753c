import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BEATS_BOARD, reviewReasons } from './review.ts'

const lap = { counts: true, timeMs: 98_000, isClean: true, findings: [] as string[] }
const none = { complete: null, clean: null }

test('holds a lap that beats the best by over 2 %, and not by exactly 2 %', () => {
  const limits = { complete: 100_000, clean: null }
  assert.deepEqual(reviewReasons(lap, limits), [])
  assert.deepEqual(reviewReasons({ ...lap, timeMs: 97_999 }, limits), [BEATS_BOARD])
})

test('compares a clean lap with both boards, and another one with the board of complete laps alone', () => {
  const limits = { complete: 99_000, clean: 110_000 }
  assert.deepEqual(reviewReasons(lap, limits), [BEATS_BOARD])
  assert.deepEqual(reviewReasons({ ...lap, isClean: false }, limits), [])
})

test('holds a lap that breaks a soft rule, whatever its time', () => {
  const odd = { ...lap, findings: ['heading-rate'] }
  assert.deepEqual(reviewReasons(odd, none), ['heading-rate'])
  assert.deepEqual(reviewReasons({ ...odd, timeMs: 90_000 }, { complete: 100_000, clean: null }), [
    BEATS_BOARD,
    'heading-rate',
  ])
})

test('holds no lap that cannot enter a board', () => {
  const limits = { complete: 100_000, clean: 100_000 }
  assert.deepEqual(reviewReasons({ ...lap, timeMs: 1, counts: false, findings: ['splice'] }, limits), [])
  assert.deepEqual(reviewReasons({ ...lap, timeMs: null }, limits), [])
})
