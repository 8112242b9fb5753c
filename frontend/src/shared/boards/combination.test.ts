import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { combinationOf, isSameBoard } from './combination.ts'

const { meta } = aPreview({ completeLaps: 1, sampleRateHz: 2 })

test('uses the names of the file, and its slugs if a name is missing', () => {
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

test('has no combination for a file that does not name its track or car', () => {
  for (const missing of ['track_slug', 'layout', 'car_slug'] as const) {
    assert.equal(combinationOf({ ...meta, [missing]: '' }), null)
  }
})

test('compares boards by their slugs, whatever their names', () => {
  const board = combinationOf(meta)!
  assert.equal(isSameBoard(board, { ...board, track_label: 'Plover Park 2026' }), true)
  for (const other of ['sim', 'track_slug', 'layout', 'car_slug'] as const) {
    assert.equal(isSameBoard(board, { ...board, [other]: 'other' }), false)
  }
})
