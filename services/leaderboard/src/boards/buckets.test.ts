import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketMoves, type EntryChange, NODE_LEVEL_BITS, slowestMs } from './buckets.ts'
import type { StoredEntry } from './entry.ts'

const entry = (timeMs: number, isCounted = true): StoredEntry => ({
  timeMs,
  recordedUs: 1,
  lapId: '00000000-0000-4000-8000-000000000001',
  isClean: true,
  isCounted,
})

const change = (before: StoredEntry | null, after: StoredEntry | null, boardId = 7): EntryChange => ({
  boardId,
  driverId: 1,
  before,
  after,
})

/** Level, slot of the bucket, and the positions and sizes of the changes of its running counts. */
const summarise = (changes: readonly EntryChange[]) =>
  bucketMoves(changes).map(({ node, running }) => [
    node >> NODE_LEVEL_BITS,
    node & (2 ** NODE_LEVEL_BITS - 1),
    ...running.flatMap((count, i) => (count === (running[i - 1] ?? 0) ? [] : [`${i}: ${count}`])),
  ])

test('adds a new entry to the counts from its slot on, at every level', () => {
  assert.deepEqual(summarise([change(null, entry(90_000))]), [
    [0, 703, '16: 1'],
    [1, 5, '63: 1'],
    [2, 0, '5: 1'],
  ])
})

test('changes only the buckets in which a better time differs', () => {
  assert.deepEqual(summarise([change(entry(90_000), entry(89_990))]), [[0, 703, '6: 1', '16: 0']])
  assert.deepEqual(summarise([change(entry(90_000), entry(80_000))]), [
    [0, 625, '0: 1'],
    [0, 703, '16: -1'],
    [1, 4, '113: 1'],
    [1, 5, '63: -1'],
    [2, 0, '4: 1', '5: 0'],
  ])
})

test('subtracts an entry that is hidden, and subtracts nothing for one that was hidden before', () => {
  assert.equal(bucketMoves([change(entry(90_000), entry(90_000, false))]).length, 3)
  assert.deepEqual(bucketMoves([change(entry(90_000, false), null)]), [])
  assert.deepEqual(bucketMoves([change(entry(90_000), entry(90_000))]), [])
})

test('counts every lap slower than the last millisecond in the last millisecond', () => {
  assert.deepEqual(bucketMoves([change(entry(slowestMs), entry(2 ** 31 - 1))]), [])
})

test('returns buckets in the same order for every order of changes', () => {
  const changes = [
    change(null, entry(90_000), 9),
    change(entry(95_000), entry(70_000), 3),
    change(entry(95_000), null, 2),
  ]
  assert.deepEqual(bucketMoves(changes), bucketMoves(changes.toReversed()))
})
