import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLibraryEntry } from '#testing/a-library-entry.ts'
import type { ASummary } from '#testing/a-summary.ts'
import { ALL_SESSIONS, carsOf, type ListQuery, lapCounts, listSessions, tracksOf } from './list-sessions.ts'

const now = Date.parse('2026-11-30T20:00:00Z')
const daysAgo = (days: number) => now - days * 24 * 60 * 60_000

const anEntry = (path: string, days: number, summary: ASummary | null) =>
  aLibraryEntry(path, daysAgo(days), summary)

const spa = { track_slug: 'spa', track_label: 'Spa, Grand Prix' }
const gt3 = { car_slug: 'gt3', car_label: 'Evo GT3' }
const entries = [
  anEntry('today.ibt', 0, {
    meta: { ...spa, ...gt3 },
    laps: [{ time_s: 140 }, { time_s: 138 }],
    kinds: ['race'],
  }),
  anEntry('week.ibt', 8, { meta: spa, laps: [{ time_s: 150, is_clean: false }] }),
  anEntry('ring.ibt', 0.01, { laps: [{ time_s: 61 }], kinds: ['practice', 'race'] }),
  anEntry('out.ibt', 40, { laps: [{ is_completed: false, time_s: null }] }),
  anEntry('broken.ibt', 400, null),
]
const list = (query: Partial<ListQuery>) =>
  listSessions(entries, { ...ALL_SESSIONS, group: 'none', ...query }, now).flatMap(group =>
    group.entries.map(({ path }) => path),
  )

test('finds sessions by words of track, car, type, day and file name', () => {
  assert.deepEqual(list({ search: 'SPA evo' }), ['today.ibt'])
  assert.deepEqual(list({ search: 'race ring' }), ['ring.ibt'])
  assert.deepEqual(list({ search: 'broken' }), ['broken.ibt'])
  assert.deepEqual(list({ search: 'nowhere' }), [])
})

test('filters by track, car, type and date', () => {
  assert.deepEqual(list({ track: 'spa/short' }), ['today.ibt', 'week.ibt'])
  assert.deepEqual(list({ car: 'gt3' }), ['today.ibt'])
  assert.deepEqual(list({ kind: 'race' }).sort(), ['ring.ibt', 'today.ibt'])
  assert.deepEqual(list({ days: 30 }).sort(), ['ring.ibt', 'today.ibt', 'week.ibt'])
})

test('sorts by date, best lap and number of laps, with files without a lap last', () => {
  assert.deepEqual(list({ sort: 'fastest' }), ['ring.ibt', 'today.ibt', 'week.ibt', 'out.ibt', 'broken.ibt'])
  assert.deepEqual(list({ sort: 'laps' }).slice(0, 1), ['today.ibt'])
  assert.deepEqual(list({ sort: 'newest' }), list({ sort: 'oldest' }).toReversed())
})

test('groups by day and by track, in the order of the sorting', () => {
  const byTrack = listSessions(entries, { ...ALL_SESSIONS, group: 'track' }, now)
  assert.deepEqual(
    byTrack.map(({ title, entries: members }) => [title, members.length]),
    [
      ['Spa, Grand Prix', 2],
      ['Lapwing Ring, Short', 2],
      ['Files that cannot be read', 1],
    ],
  )
  const byDay = listSessions(entries, ALL_SESSIONS, now)
  assert.deepEqual(
    byDay.map(group => group.entries.length),
    [2, 1, 1, 1],
  )
})

test('offers the tracks of the library, and the cars of a track', () => {
  assert.deepEqual(
    tracksOf(entries).map(({ label }) => label),
    ['Lapwing Ring, Short', 'Spa, Grand Prix'],
  )
  assert.deepEqual(
    carsOf(entries, 'spa/short').map(({ label }) => label),
    ['Evo GT3', 'Lapwing GT'],
  )
})

test('counts complete and clean laps', () => {
  assert.deepEqual(entries.map(lapCounts), [
    '2 laps, 2 clean',
    '1 lap, 0 clean',
    '1 lap, 1 clean',
    'No complete lap',
    'No complete lap',
  ])
})
