import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadFigures } from '../client/protocol.ts'
import { readBackupLog } from './data-steps.ts'
import { kindsToSearch } from './removal-steps.ts'
import { steps } from './steps.ts'
import { formatFigures, problemsOf } from './under-load.ts'

const names = steps.map(({ name }) => name)

test('starts the cluster first and removes it last, whatever failed', () => {
  assert.equal(names[0], 'up')
  assert.equal(names.at(-1), 'down')
  assert.deepEqual(
    steps.filter(({ isFinal }) => isFinal).map(({ name }) => name),
    ['down'],
  )
})

test('each step has a name of its own and comes after those that it needs', () => {
  assert.equal(new Set(names).size, names.length)
  const order = [
    ['images', 'install'],
    ['trip', 'restart'],
    ['upgrade', 'rollback'],
    ['postgres-away', 'verify'],
    ['verify', 'backup'],
    ['backup', 'restore'],
    ['restore', 'uninstall'],
    ['uninstall', 'from-older'],
  ] as const
  for (const [first, second] of order) assert.ok(names.indexOf(first) < names.indexOf(second), second)
})

const calm: LoadFigures = {
  ...{ seconds: 10, journeys: 20, requests: 90, refused: 0, failed: 0, dropped: 0 },
  ...{ slowestMs: 1_234, oldestFileS: 4, otherAnswers: {}, failures: [] },
}

test('a disturbance without a failure has no problem', () => {
  assert.deepEqual(problemsOf(calm, false), [])
})

for (const [what, figures, mayRefuse, problem] of [
  ['no request', { requests: 0 }, true, 'no request was made'],
  [
    'a failure',
    { failed: 2, failures: ['page answered 502', 'x'] },
    true,
    '2 journeys failed: page answered 502 | x',
  ],
  ['a refusal where nothing was away', { refused: 1 }, false, '1 journeys were refused'],
  ['a journey that did not start', { dropped: 3 }, true, '3 journeys did not start'],
  ['no metrics', { oldestFileS: null }, true, 'no pod showed how old its files are'],
  ['a file that waits for a minute', { oldestFileS: 61 }, true, 'a file waited 61 s'],
] as const) {
  test(`${what} is a problem`, () => {
    assert.deepEqual(problemsOf({ ...calm, ...figures }, mayRefuse), [problem])
  })
}

test('a refusal is none while a server is away', () => {
  assert.deepEqual(problemsOf({ ...calm, refused: 9 }, true), [])
})

test('prints the figures, and answers that were no success', () => {
  assert.equal(
    formatFigures({ ...calm, refused: 2, otherAnswers: { 'page 503': 2 } }),
    '90 requests of 20 journeys in 10 s; failed 0, refused 2; slowest journey 1.2 s, oldest file 4 s; page 503 ×2',
  )
})

test('reads the facts of a backup from its log', () => {
  const log = [
    'Backup 2026-11-30T03-17-00.123Z of Postgres 18.6; it needs the key-encryption key 1.',
    'boards: 12 rows, digest abc',
    'objects: 5 so far, 1 MB',
    'objects: 30, 9 MB; 30 of them are new in this folder',
  ].join('\n')
  assert.equal(
    readBackupLog(log),
    'boards: 12 rows, digest abc; objects: 30, 9 MB; 30 of them are new in this folder',
  )
  assert.throws(() => readBackupLog('nothing'), /names no boards/)
})

test('searches every kind but events', () => {
  assert.equal(
    kindsToSearch('configmaps\nevents\nevents.events.k8s.io\njobs.batch\n'),
    'configmaps,jobs.batch',
  )
})
