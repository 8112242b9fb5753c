import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aLap, aStanding, lapIdOf, summit } from '../test/a-standing.ts'
import { type Harness, harness } from '../test/harness.ts'
import { hideLap, restoreLap } from './hide.ts'
import { closeReports, listReports } from './report.repository.ts'
import { MOST_REPORTS } from './report-entry.ts'

let service: Harness

before(async () => {
  service = await harness()
  for (let n = 1; n <= MOST_REPORTS + 2; n++) await service.put(aStanding(`driver-${n}`, 90_000 + n))
})

after(() => service.close())

const lapOf = (n: number) => lapIdOf(`driver-${n} ${90_000 + n}`)
const report = (as: string | undefined, lapId: string, reason: unknown = 'lap') =>
  service.post('reportEntry', '/api/leaderboards/reports', { lap_id: lapId, reason }, as)
const listed = async () =>
  (await listReports(service.db, 50)).map(({ user_id, lap, name }) => `${user_id} ${lap} ${name}`)

test('lists reported laps, those with most accounts first, and counts an account once', async () => {
  for (const [as, lap, reason] of [
    ['reader-1', lapOf(1), 'lap'],
    ['reader-1', lapOf(1), 'name'],
    ['reader-2', lapOf(2), 'name'],
    ['reader-3', lapOf(2).toUpperCase(), 'lap'],
  ] as const) {
    assert.equal((await report(as, lap, reason)).status, 204)
  }
  assert.deepEqual(await listed(), ['driver-2 1 1', 'driver-1 1 0'])
  assert.equal(await closeReports(service.db, lapOf(2)), 2)
  assert.deepEqual(await listed(), ['driver-1 1 0'])
})

test('lets no account repeat a report that a moderator has closed', async () => {
  assert.equal((await report('reader-2', lapOf(2))).status, 204)
  assert.deepEqual(await listed(), ['driver-1 1 0'])
})

test('lists reports of many accounts of one network behind the first report of any other', async t => {
  t.after(() => service.db.deleteFrom('lap_report').execute())
  await service.db.deleteFrom('lap_report').execute()
  const drivers = [4, 5, 6, 7]
  for (const driver of drivers) {
    for (const account of [1, 2, 3]) {
      const answer = await service.report(
        { lap_id: lapOf(driver), reason: 'lap' },
        `flood-${account}`,
        `2001:db8:0:1::${account}`,
      )
      assert.equal(answer.status, 204)
    }
  }
  await service.report({ lap_id: lapOf(8), reason: 'lap' }, 'honest', '198.51.100.7')
  const rows = await listReports(service.db, 2)
  assert.deepEqual(
    rows.map(({ user_id, lap, networks }) => [user_id, lap, networks]),
    [
      ['driver-4', 3, 1],
      ['driver-8', 1, 1],
    ],
  )
  // A second network counts more than further accounts.
  await service.report({ lap_id: lapOf(8), reason: 'name' }, 'other', '203.0.113.9')
  assert.equal((await listReports(service.db, 1))[0]!.user_id, 'driver-8')
  assert.equal((await listReports(service.db, 50)).length, 5)
})

test('no longer lists a lap that has left the boards, but the name of its driver', async () => {
  const [lap, driver] = [lapOf(MOST_REPORTS + 2), `driver-${MOST_REPORTS + 2}`]
  await report('reader-1', lap)
  assert.ok((await listed()).includes(`${driver} 1 0`))
  await hideLap(service.db, lap)
  assert.ok(!(await listed()).some(row => row.startsWith(driver)))
  await restoreLap(service.db, lap)
  await report('reader-2', lap, 'name')
  await hideLap(service.db, lap)
  assert.ok((await listed()).includes(`${driver} 0 1`))
  await restoreLap(service.db, lap)
  assert.equal(await closeReports(service.db, lap), 2)
})

test('refuses reports without an account, of own laps, and of laps that are on no board', async () => {
  const hidden = lapOf(3)
  await hideLap(service.db, hidden)
  for (const [as, lap, reason, status, code] of [
    [undefined, lapOf(1), 'lap', 401, 'leaderboard.unauthorized'],
    ['driver-1', lapOf(1), 'lap', 400, 'leaderboard.own_entry'],
    ['reader-1', randomUUID(), 'lap', 404, 'leaderboard.no_entry'],
    ['reader-1', hidden, 'lap', 404, 'leaderboard.no_entry'],
    ['reader-1', lapOf(1), 'bored', 400, 'leaderboard.bad_request'],
    ['reader-1', "' or true", 'lap', 400, 'leaderboard.bad_request'],
  ] as const) {
    const answer = await report(as, lap, reason)
    assert.deepEqual([answer.status, answer.body.code], [status, code])
  }
})

test('limits the reports of an account, also of calls at the same time', async () => {
  const laps = Array.from({ length: MOST_REPORTS + 1 }, (_, n) => lapOf(n === 2 ? MOST_REPORTS + 2 : n + 1))
  const answers = await Promise.all(laps.map(lap => report('eager', lap)))
  assert.equal(answers.filter(({ status }) => status === 204).length, MOST_REPORTS)
  const refused = answers.find(({ status }) => status !== 204)
  assert.deepEqual([refused?.status, refused?.body.code], [429, 'leaderboard.too_many_reports'])
  assert.ok(refused?.headers['retry-after'])
  // A repeated report is none.
  const known = laps[answers.findIndex(({ status }) => status === 204)]!
  assert.equal((await report('eager', known)).status, 204)
})

test('lets two drivers report each other at the same time', async () => {
  const both = [report('driver-4', lapOf(5)), report('driver-5', lapOf(4))]
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status),
    [204, 204],
  )
})

test('deletes the reports by and about a deleted account, and the facts of its laps', async () => {
  const combination = { ...summit, car_slug: 'leaver', car_label: 'leaver' }
  const lap = aLap(80_000, { of: 'leaver', driven_at: '2026-02-01T12:00:00.000Z' })
  await service.put(aStanding('leaver', 80_000, { combination, complete: lap, clean: lap }))
  await report('reader-1', lap.lap_id)
  await report('leaver', lapOf(1))
  await service.publish({
    case: 'accountDeleted',
    value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId: 'leaver' },
  })
  const reports = await service.db.selectFrom('lap_report').selectAll().execute()
  assert.ok(reports.every(({ user_id, reporter_id }) => user_id !== 'leaver' && reporter_id !== 'leaver'))
  const facts = await service.db.selectFrom('lap_fact').select('lap_id').execute()
  assert.deepEqual(facts, [])
  assert.equal((await report('leaver', lapOf(6))).status, 404)
})
