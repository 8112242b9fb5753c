import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aPreview } from '#testing/a-preview.ts'
import { type LapSeries, mainSeries } from './lap-series.ts'
import { rowAtSamePosition, rowAtShare } from './same-position.ts'

const preview = aPreview({ completeLaps: 2 })
const [, fast, slow] = preview.laps
const main = mainSeries(preview, fast!)
const other: LapSeries = {
  ...mainSeries(aPreview({ sampleRateHz: 10 }), aPreview({ sampleRateHz: 10 }).laps[2]!),
  role: 'reference',
}

test('finds the same position in another lap as exactly as its samples allow, at any sampling', () => {
  for (const reference of [mainSeries(preview, slow!), other]) {
    for (let row = fast!.row_start; row <= fast!.row_end; row++) {
      const there = rowAtSamePosition(main, row, reference)!
      const share = preview.lapDistPct[row]!
      const gap = (at: number) => Math.abs(reference.preview.lapDistPct[at]! - share)
      assert.ok(there >= reference.lap.row_start && there <= reference.lap.row_end)
      if (there > reference.lap.row_start) assert.ok(gap(there) <= gap(there - 1))
      if (there < reference.lap.row_end) assert.ok(gap(there) <= gap(there + 1))
    }
  }
})

test('finds a lap’s own row at its own position, and none for a row without a position', () => {
  assert.equal(rowAtSamePosition(main, fast!.row_start + 7, main), fast!.row_start + 7)
  const blank = { ...preview, lapDistPct: preview.lapDistPct.slice() }
  blank.lapDistPct[fast!.row_start + 7] = Number.NaN
  assert.equal(rowAtSamePosition({ ...main, preview: blank }, fast!.row_start + 7, other), null)
})

test('finds the row with the same number in a lap without distances', () => {
  const blank = { ...main.preview, lapDistPct: main.preview.lapDistPct.map(() => Number.NaN) }
  const without: LapSeries = {
    ...mainSeries(preview, slow!),
    role: 'reference',
    preview: { ...blank, debug: { missing: ['lapDistPct'] } },
  }
  assert.equal(rowAtSamePosition(main, fast!.row_start + 7, without), slow!.row_start + 7)
  assert.equal(rowAtSamePosition(main, fast!.row_start + 1e6, without), slow!.row_end)
})

test('finds the nearest end for a share outside of what was driven', () => {
  fc.assert(
    fc.property(fc.double({ min: -2, max: 3, noNaN: true }), share => {
      const row = rowAtShare(other, share)
      assert.ok(row >= other.lap.row_start && row <= other.lap.row_end)
    }),
  )
  assert.equal(rowAtShare(other, -1), other.lap.row_start)
  assert.equal(rowAtShare(other, 2), other.lap.row_end)
})
