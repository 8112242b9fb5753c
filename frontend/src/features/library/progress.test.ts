import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLibraryEntry } from '#testing/a-library-entry.ts'
import type { LibraryEntry } from './library-entry.ts'
import { newestDriven, progressOf } from './progress.ts'

function aSession(path: string, day: number, timesS: readonly number[], more = {}): LibraryEntry {
  const laps = timesS.map(time_s => ({ time_s }))
  return aLibraryEntry(path, Date.UTC(2026, 10, day), { laps, movingS: 1800, ...more })
}

const [track, car] = ['lapwing-ring/short', 'lapwing-gt']

test('shows best, median and spread of the clean laps of each session, the oldest first', () => {
  const { points } = progressOf(
    [aSession('b', 2, [62, 60, 61, 63, 64]), aSession('a', 1, [65, 64])],
    track,
    car,
  )
  assert.deepEqual(
    points.map(({ entry, bestS, medianS, spreadS, cleanLaps }) => [
      entry.path,
      bestS,
      medianS,
      spreadS,
      cleanLaps,
    ]),
    [
      ['a', 64, 64.5, null, 2],
      ['b', 60, 62, 2, 5],
    ],
  )
})

test('marks a personal best only where all sessions before were slower', () => {
  const { points } = progressOf(
    [aSession('a', 1, [64]), aSession('b', 2, [65]), aSession('c', 3, [63]), aSession('d', 4, [63])],
    track,
    car,
  )
  assert.deepEqual(
    points.map(({ isRecord }) => isRecord),
    [true, false, true, false],
  )
})

test('counts all complete laps and hours of that track and car, and draws only clean ones', () => {
  const unclean = aSession('a', 1, [], { laps: [{ is_clean: false, time_s: 50 }] })
  const elsewhere = aSession('b', 2, [60], { meta: { track_slug: 'spa' } })
  const progress = progressOf([unclean, elsewhere, aSession('c', 3, [61, 62])], track, car)
  assert.deepEqual(
    progress.points.map(({ bestS }) => bestS),
    [61],
  )
  assert.deepEqual([progress.sessions, progress.completeLaps, progress.hours], [2, 3, 1])
})

test('starts with the track and car of the newest session', () => {
  assert.equal(newestDriven([]), null)
  const older = aSession('a', 1, [60])
  const newer = aSession('b', 2, [60], { meta: { track_slug: 'spa', car_slug: 'gt3' } })
  assert.deepEqual(newestDriven([newer, older]), { track: 'spa/short', car: 'gt3' })
})
