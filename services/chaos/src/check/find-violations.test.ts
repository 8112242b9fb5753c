import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionFile } from '../plan/session-file.ts'
import {
  type BoardFact,
  boardName,
  type Facts,
  type IngestFact,
  type LapFact,
  type RowFact,
  slugsOf,
} from './facts.ts'
import { findViolations, type Submission } from './find-violations.ts'

const aFile = (driverId: number, ...laps: readonly [timeMs: number, isDirty?: boolean][]): SessionFile => ({
  combination: { trackId: 9, trackName: 'Chaos Ring', carId: 1, carName: 'Chaos GT' },
  driverId,
  laps: laps.map(([timeMs, isDirty = false]) => ({ timeMs, isDirty })),
  startedAtMs: 0,
})
const fast = aFile(1, [20_500, true], [21_000])
const slow = aFile(2, [22_000])
const board = boardName(slugsOf(fast))

const saved = (sessionId: string, boards: readonly string[], timeMs: number) => ({
  sessionId,
  status: 201,
  body: { ok: true, ingest_id: `ingest of ${sessionId}`, boards, best_lap_time_ms: timeMs },
})
const refused = (sessionId: string) => ({
  sessionId,
  status: 409,
  body: { code: 'upload.belongs_to_another_driver' },
})

/** Anna is ahead. Ben tried her file too and was refused. */
const submissions: readonly Submission[] = [
  { userId: 'anna', file: fast, sessionIds: ['s1'], outcomes: [saved('s1', ['complete', 'clean'], 20_500)] },
  { userId: 'ben', file: slow, sessionIds: ['s2'], outcomes: [saved('s2', ['complete', 'clean'], 22_000)] },
  { userId: 'ben', file: fast, sessionIds: ['s3'], outcomes: [refused('s3')] },
]

const done = (sessionId: string, userId: string, timeMs: number): IngestFact => ({
  ingestId: `ingest of ${sessionId}`,
  sessionId,
  userId,
  state: 'done',
  outcome: { boards: ['complete', 'clean'], best_lap_time_ms: timeMs },
  failureCode: null,
})
const failed = (sessionId: string, userId: string, failureCode: string): IngestFact => ({
  ...done(sessionId, userId, 0),
  state: 'failed',
  outcome: null,
  failureCode,
})
const lap = (lapId: string, sessionId: string, userId: string, timeMs: number, isClean = true): LapFact => ({
  lapId,
  ingestId: `ingest of ${sessionId}`,
  userId,
  board,
  timeMs,
  isCompleted: true,
  isClean,
  counts: true,
  review: null,
  recordedAt: `2026-05-01T12:00:00.00000${lapId.at(-1)}Z`,
})
const row = (rank: number, userId: string, lapId: string, timeMs: number): RowFact => ({
  rank,
  userId,
  lapId,
  timeMs,
})
const pageOf = (which: BoardFact['which'], ...rows: readonly RowFact[]): BoardFact => ({
  board,
  which,
  rows,
  total: rows.length,
  ranks: new Map(rows.map(one => [one.userId, one])),
})
const facts: Facts = {
  ingests: [
    done('s1', 'anna', 20_500),
    done('s2', 'ben', 22_000),
    failed('s3', 'ben', 'upload.belongs_to_another_driver'),
  ],
  laps: [
    lap('lap1', 's1', 'anna', 20_500, false),
    lap('lap2', 's1', 'anna', 21_000),
    lap('lap3', 's2', 'ben', 22_000),
  ],
  boards: [
    pageOf('complete', row(1, 'anna', 'lap1', 20_500), row(2, 'ben', 'lap3', 22_000)),
    pageOf('clean', row(1, 'anna', 'lap2', 21_000), row(2, 'ben', 'lap3', 22_000)),
  ],
  fingerprints: [],
}

test('finds nothing if the boards match the acknowledged laps', () => {
  assert.deepEqual(findViolations(submissions, facts), [])
})

test('accepts an unacknowledged file that is stored once or not at all', () => {
  const silent = submissions.map(one => (one.userId === 'ben' ? { ...one, outcomes: [] } : one))
  assert.deepEqual(findViolations(silent, facts), [])
  const without: Facts = {
    ingests: [done('s1', 'anna', 20_500)],
    laps: facts.laps.slice(0, 2),
    boards: [
      pageOf('complete', row(1, 'anna', 'lap1', 20_500)),
      pageOf('clean', row(1, 'anna', 'lap2', 21_000)),
    ],
    fingerprints: [],
  }
  assert.deepEqual(findViolations(silent, without), [])
})

/** A fingerprint with the same series for every lap. */
const fingerprint = (lapId: string, userId: string) => {
  const descriptor = Buffer.alloc(1026)
  descriptor[0] = 1
  return { key: 'key', lapId, userId, descriptor: descriptor.toString('hex') }
}

test('accepts a held lap, and a fingerprint of two laps that are on no board', () => {
  const held = { ...lap('lap6', 's2', 'ben', 19_000), review: 'held' } as const
  const own: SessionFile = aFile(2, [22_000], [19_000])
  const withHeld = submissions.map(one => (one.file === slow ? { ...one, file: own } : one))
  const fingerprints = [fingerprint('lap6', 'ben'), fingerprint('lap1', 'anna')]
  assert.deepEqual(findViolations(withHeld, { ...facts, laps: [...facts.laps, held], fingerprints }), [])
})

const [complete, clean] = facts.boards as [BoardFact, BoardFact]

for (const [what, spoiled, expected] of [
  [
    'an acknowledged ingest is gone',
    { ...facts, ingests: facts.ingests.slice(1) },
    /session s1 of anna, answered 201 saved, has 0 ingests/,
  ],
  [
    'an acknowledged ingest is counted twice',
    { ...facts, ingests: [...facts.ingests, done('s1', 'anna', 20_500)] },
    /has 2 ingests/,
  ],
  [
    'an acknowledged ingest has failed',
    { ...facts, ingests: [failed('s1', 'anna', 'ingest.failed'), ...facts.ingests.slice(1)] },
    /is failed ingest.failed/,
  ],
  [
    'a lap is stored twice',
    { ...facts, laps: [...facts.laps, lap('lap4', 's1', 'anna', 21_000)] },
    /has the laps 20500 ms dirty, 21000 ms clean, 21000 ms clean; driven were/,
  ],
  ['a lap is missing', { ...facts, laps: facts.laps.slice(1) }, /has the laps 21000 ms clean; driven were/],
  [
    'a lap has another time',
    { ...facts, laps: [lap('lap1', 's1', 'anna', 20_501, false), ...facts.laps.slice(1)] },
    /20501 ms/,
  ],
  [
    'another driver’s file was accepted',
    { ...facts, laps: [...facts.laps, lap('lap5', 's3', 'ben', 20_500, false)] },
    /file \[.*\] is of anna and ben/,
  ],
  [
    'an entry is missing',
    {
      ...facts,
      boards: [pageOf('complete', row(1, 'ben', 'lap3', 22_000)), clean],
    },
    /complete .*: anna has nothing; their best is lap1 of 20500 ms/,
  ],
  [
    'a driver has two entries',
    {
      ...facts,
      boards: [
        pageOf(
          'complete',
          row(1, 'anna', 'lap1', 20_500),
          row(2, 'anna', 'lap2', 21_000),
          row(3, 'ben', 'lap3', 22_000),
        ),
        clean,
      ],
    },
    /anna has lap1 of 20500 ms and lap2 of 21000 ms/,
  ],
  [
    'an entry is not the best lap',
    {
      ...facts,
      boards: [pageOf('complete', row(1, 'anna', 'lap2', 21_000), row(2, 'ben', 'lap3', 22_000)), clean],
    },
    /answered 201 saved, with 20500 ms, is not on the board complete/,
  ],
  [
    'an unclean lap is on the clean board',
    {
      ...facts,
      boards: [complete, pageOf('clean', row(1, 'anna', 'lap1', 20_500), row(2, 'ben', 'lap3', 22_000))],
    },
    /clean .*: anna has lap1 of 20500 ms; their best is lap2/,
  ],
  [
    'a driver without a lap has an entry',
    {
      ...facts,
      boards: [
        complete,
        pageOf(
          'clean',
          row(1, 'anna', 'lap2', 21_000),
          row(2, 'ben', 'lap3', 22_000),
          row(3, 'cleo', 'lap9', 23_000),
        ),
      ],
    },
    /cleo has 23000 ms and no lap/,
  ],
  [
    'ranks have a gap',
    {
      ...facts,
      boards: [pageOf('complete', row(1, 'anna', 'lap1', 20_500), row(3, 'ben', 'lap3', 22_000)), clean],
    },
    /row 2 has the rank 3/,
  ],
  ['the total is wrong', { ...facts, boards: [{ ...complete, total: 3 }, clean] }, /says 3 drivers/],
  [
    'a driver gets another rank',
    {
      ...facts,
      boards: [{ ...complete, ranks: new Map([['ben', row(1, 'ben', 'lap3', 22_000)]]) }, clean],
    },
    /ben gets .*"rank":1.*, and the page has .*"rank":2/,
  ],
  [
    'a lap that is held for review is on a board',
    { ...facts, laps: facts.laps.map(one => (one.lapId === 'lap3' ? { ...one, review: 'held' } : one)) },
    /complete .*: shows lap lap3, which is held/,
  ],
  [
    'a refused lap gets a rank',
    {
      ...facts,
      laps: [...facts.laps, { ...lap('lap6', 's2', 'ben', 19_000), review: 'refused' }],
      boards: [{ ...complete, ranks: new Map([['ben', row(1, 'ben', 'lap6', 19_000)]]) }, clean],
    },
    /complete .*: shows lap lap6, which is refused/,
  ],
  [
    'two accounts have one lap on boards',
    { ...facts, fingerprints: [fingerprint('lap1', 'anna'), fingerprint('lap3', 'ben')] },
    /lap lap1 of anna is lap lap3 of ben/,
  ],
  ['a board is missing', { ...facts, boards: [] }, /lap lap1 of anna has no board/],
] as const satisfies readonly (readonly [string, Facts, RegExp])[]) {
  test(`reports that ${what}`, () => {
    assert.match(findViolations(submissions, spoiled).join('\n'), expected)
  })
}

test('reports an answer that differs from the stored outcome', () => {
  const [anna] = submissions as [Submission]
  const twice = [
    ...anna.outcomes,
    { sessionId: 's1', status: 200, body: { ok: true, ingest_id: 'ingest of s1', skipped: 'not_faster' } },
  ]
  assert.match(
    findViolations([{ ...anna, outcomes: twice }, ...submissions.slice(1)], facts).join('\n'),
    /answered 200 not_faster, got .*not_faster.*, and is .*20500.* now/,
  )
})

test('reports a driver who is refused a file that no other driver has', () => {
  const alone: Submission = {
    userId: 'cleo',
    file: aFile(3, [23_000]),
    sessionIds: ['s4'],
    outcomes: [refused('s4')],
  }
  const also = [...facts.ingests, failed('s4', 'cleo', 'upload.belongs_to_another_driver')]
  assert.match(
    findViolations([...submissions, alone], { ...facts, ingests: also }).join('\n'),
    /cleo was refused a file that no driver has/,
  )
})
