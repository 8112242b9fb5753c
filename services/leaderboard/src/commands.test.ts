import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from '@lapwing/testing/run-command.ts'
import { runNode } from '@lapwing/testing/run-node.ts'
import { sql } from 'kysely'
import { topNode } from './boards/buckets.ts'
import { aStanding, lapIdOf, summitPage } from './test/a-standing.ts'
import { type Harness, harness, type Page } from './test/harness.ts'

let service: Harness

before(async () => {
  // Commands do not know this test's prefix of windows.
  service = await harness({ redis: null })
  for (const [user, timeMs] of [
    ['user-a', 90_000],
    ['user-b', 91_000],
    ['user-c', 92_000],
  ] as const) {
    await service.put(aStanding(user, timeMs))
  }
})

after(() => service.close())

const commandOf = (name: 'verify' | 'moderate') => join(import.meta.dirname, `${name}.ts`)
const stores = () => ({ ...process.env, DATABASE_URL: service.databaseUrl, REDIS_URL: '' })

const run = (name: 'verify' | 'moderate', ...args: string[]) =>
  runCommand([commandOf(name), ...args], stores())

/** Runs a command as a process, as an operator does. */
const runProcess = (name: 'verify' | 'moderate', ...args: string[]) =>
  runNode([commandOf(name), ...args], stores())

async function order(board = 'complete'): Promise<readonly string[]> {
  const { body } = await service.get<Page>('getPage', `${summitPage}&board=${board}`, 'user-reader')
  return body.rows.map(row => `${row.rank} ${row.user_id}`)
}

test('hides and restores a lap, without gaps in the ranks', async () => {
  const lap = lapIdOf('user-a 90000')
  assert.equal((await runProcess('moderate', 'hide-lap', lap)).code, 0)
  assert.deepEqual(await order(), ['1 user-b', '2 user-c'])
  assert.deepEqual(await order('clean'), ['1 user-b', '2 user-c'])
  assert.match((await run('moderate', 'hide-lap', lap)).out, /no board changed/)
  assert.equal((await run('moderate', 'restore-lap', lap)).code, 0)
  assert.deepEqual(await order(), ['1 user-a', '2 user-b', '3 user-c'])
})

test('replies to ingest immediately that a lap or a driver is hidden, on a board or not', async () => {
  const lap = lapIdOf('user-a 90000')
  const never = lapIdOf('user-a never on a board')
  const hiddenFlags = async () => [
    await service.isHidden(lap, 'user-a'),
    await service.isHidden(never, 'user-a'),
    await service.isHidden(lapIdOf('user-c 92000'), 'user-c'),
  ]
  assert.deepEqual(await hiddenFlags(), [false, false, false])
  await run('moderate', 'hide-lap', lap)
  assert.deepEqual(await hiddenFlags(), [true, false, false])
  await run('moderate', 'restore-lap', lap)
  await run('moderate', 'hide-driver', 'user-a')
  assert.deepEqual(await hiddenFlags(), [true, true, false])
  await run('moderate', 'restore-driver', 'user-a')
  assert.deepEqual(await hiddenFlags(), [false, false, false])
})

test('keeps a hidden lap hidden in a repeated standing, and shows a better lap of the driver', async () => {
  const lap = lapIdOf('user-b 91000')
  await run('moderate', 'hide-lap', lap)
  const again = await service.put(aStanding('user-b', 91_000, { version: 2 }))
  assert.deepEqual(again.complete, { rank: null, previous_time_ms: 91_000 })
  assert.deepEqual(await order(), ['1 user-a', '2 user-c'])
  const better = await service.put(aStanding('user-b', 89_000, { version: 3 }))
  assert.equal(better.complete?.rank, 1)
  assert.deepEqual(await order(), ['1 user-b', '2 user-a', '3 user-c'])
})

test('hides a driver on all boards, later laps included, and restores them', async () => {
  assert.equal((await run('moderate', 'hide-driver', 'user-c')).code, 0)
  assert.deepEqual(await order(), ['1 user-b', '2 user-a'])
  assert.deepEqual((await service.put(aStanding('user-c', 80_000, { version: 2 }))).complete, {
    rank: null,
    previous_time_ms: 92_000,
  })
  assert.deepEqual(await order(), ['1 user-b', '2 user-a'])
  await run('moderate', 'restore-driver', 'user-c')
  assert.deepEqual(await order(), ['1 user-c', '2 user-b', '3 user-a'])
})

test('hides a driver before the first lap', async () => {
  await run('moderate', 'hide-driver', 'user-unseen')
  assert.equal((await service.put(aStanding('user-unseen', 70_000))).complete?.rank, null)
  assert.equal((await order()).length, 3)
})

for (const args of [
  [],
  ['hide-lap'],
  ['hide-lap', 'no-lap'],
  ['hide-track', 'x'],
  ['reports', 'x'],
  ['close-reports', 'no-lap'],
  ['close-reports-by'],
  ['hide-driver', 'a', 'b'],
]) {
  test(`"moderate ${args.join(' ')}" changes nothing and prints its usage`, async () => {
    const { code, out } = await run('moderate', ...args)
    assert.equal(code, 2)
    assert.match(out, /hide-lap\|restore-lap <lap id>/)
  })
}

test('lists reported laps, and closes them after a decision', async () => {
  const lap = lapIdOf('user-a 90000')
  assert.deepEqual(await run('moderate', 'reports'), { code: 0, out: '' })
  await service.post('reportEntry', '/api/leaderboards/reports', { lap_id: lap, reason: 'name' }, 'user-b')
  const { code, out } = await run('moderate', 'reports')
  assert.equal(code, 0)
  assert.match(out, new RegExp(`^${lap} of user-a: lap 0, name 1, networks 1, since 20.+, first by user-b`))
  assert.match((await run('moderate', 'close-reports', lap)).out, /closed: 1/)
  assert.deepEqual(await run('moderate', 'reports'), { code: 0, out: '' })
})

test('closes all reports of an account, or of its network', async () => {
  const reports = async (as: string, network: string, ...laps: readonly string[]) => {
    for (const lap_id of laps) await service.report({ lap_id, reason: 'lap' }, as, network)
  }
  const [a, b, c] = ['user-a 90000', 'user-b 89000', 'user-c 80000'].map(lapIdOf) as [string, string, string]
  await reports('flood-1', '192.0.2.1', a, b)
  await reports('flood-2', '192.0.2.1', c)
  await reports('honest', '198.51.100.7', c)
  assert.match((await run('moderate', 'close-reports-by', 'flood-1')).out, /closed: 2/)
  assert.match((await run('moderate', 'reports')).out, /^\S+ of user-c: lap 2, name 0, networks 2, [^\n]+\n$/)
  assert.match((await run('moderate', 'close-reports-by-network-of', 'flood-1')).out, /closed: 1/)
  assert.match((await run('moderate', 'reports')).out, /user-c: lap 1, .+ first by honest/)
  assert.match((await run('moderate', 'close-reports-by', 'honest')).out, /closed: 1/)
})

test('finds no drift on boards that only the service changed', async () => {
  const { code, out } = await run('verify')
  assert.equal(out.trim(), '2 boards, 0 with drift')
  assert.equal(code, 0)
})

test('reports drift, and repairs it with --repair', async () => {
  const right = await order()
  await sql`update bucket set running = running[1:126] || array[running[127] + 1, running[128] + 1]
    where node = ${topNode}`.execute(service.db)
  await sql`delete from bucket where node < ${topNode} and board_id % 2 = 0`.execute(service.db)
  await sql`update entry set is_counted = not is_counted
    where driver_id = (select id from driver where user_id = 'user-a')`.execute(service.db)
  const found = await runProcess('verify')
  assert.equal(found.code, 1)
  assert.match(found.out, /\d+ complete: 1 entries and \d+ buckets are wrong/)
  assert.match(found.out, /2 boards, 2 with drift/)
  const repaired = await run('verify', '--repair')
  assert.equal(repaired.code, 0, repaired.out)
  assert.equal((await run('verify')).code, 0)
  assert.deepEqual(await order(), right)
})

test('reports a missing database and exits with 2', async () => {
  const { code } = await runNode([commandOf('verify')], { PATH: process.env.PATH })
  assert.equal(code, 2)
})
