import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { combinationOf, isSameBoard } from './combination.ts'

const { meta } = aPreview({ completeLaps: 1, sampleRateHz: 2 })

test("a session's board has the file's names, and its slugs where a name is missing", () => {
  assert.deepEqual(combinationOf(meta), {
    sim: 'iracing',
    track_slug: 'plover-park',
    layout: 'default',
    car_slug: 'training-single-seater',
    track_label: 'Plover Park',
    car_label: 'Training Single-Seater',
  })
  const unnamed = combinationOf({ ...meta, track_label: '', car_label: '' })
  assert.deepEqual([unnamed?.track_label, unnamed?.car_label], ['plover-park', 'training-single-seater'])
})

test('a file that does not say where or in what it was driven has no board', () => {
  for (const missing of ['track_slug', 'layout', 'car_slug'] as const) {
    assert.equal(combinationOf({ ...meta, [missing]: '' }), null)
  }
})

test('boards are the same by their slugs, whatever they are called', () => {
  const board = combinationOf(meta)!
  assert.equal(isSameBoard(board, { ...board, track_label: 'Plover Park 2026' }), true)
  for (const other of ['sim', 'track_slug', 'layout', 'car_slug'] as const) {
    assert.equal(isSameBoard(board, { ...board, [other]: 'other' }), false)
  }
})
