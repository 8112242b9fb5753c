import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aJudgedLap } from '../test/a-judged-lap.ts'
import { chooseLaps, MOST_COMPLETE } from './choose-laps.ts'
import type { JudgedLap } from './judged-file.ts'

const aLap = (id: number, change: Partial<JudgedLap> = {}) =>
  aJudgedLap(String(id), id, { timeMs: 100_000 - id, isClean: false, ...change })
const laps = (count: number) => Array.from({ length: count }, (_, index) => aLap(index))
const idsOf = (kept: readonly JudgedLap[]) => kept.map(({ id }) => Number(id))

test('chooses the fastest 2,000 complete laps in the order of the file, and counts the others', () => {
  assert.deepEqual(chooseLaps(laps(MOST_COMPLETE)).leftOut, 0)
  const { kept, leftOut } = chooseLaps(laps(MOST_COMPLETE + 3))
  assert.equal(leftOut, 3)
  // Each lap is faster than the one before.
  assert.deepEqual(
    idsOf(kept),
    Array.from({ length: MOST_COMPLETE }, (_, index) => index + 3),
  )
})

test('chooses the fastest clean lap, however slow it is', () => {
  const slowest = [aLap(0, { isClean: true }), ...laps(MOST_COMPLETE + 1).slice(1)]
  const { kept, leftOut } = chooseLaps(slowest)
  assert.deepEqual([kept.length, leftOut, kept[0]?.isClean], [MOST_COMPLETE, 1, true])
})

test('chooses laps that count before faster ones that do not', () => {
  const some = laps(MOST_COMPLETE).map((lap, index) => (index === 0 ? lap : { ...lap, counts: false }))
  const { kept } = chooseLaps([...some, aLap(MOST_COMPLETE, { counts: false })])
  assert.ok(kept.some(({ counts }) => counts))
})

test('does not count incomplete laps as left out', () => {
  const partial = Array.from({ length: 600 }, (_, index) => aLap(index, { isCompleted: false, timeMs: null }))
  const { kept, leftOut } = chooseLaps(partial)
  assert.deepEqual([kept.length, leftOut], [500, 0])
})
