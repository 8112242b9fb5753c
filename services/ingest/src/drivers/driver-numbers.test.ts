import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile, type FileOptions } from '../test/a-file.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker({ INGEST_RECHECK_MS: '100' })
})

after(() => service.close())

interface ListedNumber {
  readonly driver_number: string
  readonly bound_at: string | null
  readonly is_disputed: boolean
  readonly can_undo: boolean
}

async function numbersOf(as: string): Promise<readonly ListedNumber[]> {
  const url = '/api/laps/driver-numbers'
  const { status, body } = await service.call('listDriverNumbers', { method: 'GET', url, as })
  assert.equal(status, 200)
  return body.driver_numbers as ListedNumber[]
}

async function numberOf(as: string, driverId: number): Promise<ListedNumber | undefined> {
  return (await numbersOf(as)).find(({ driver_number }) => driver_number === String(driverId))
}

const undo = (as: string, driverId: number) =>
  service.call('undoDriverNumber', {
    method: 'DELETE',
    url: `/api/laps/driver-numbers/iracing/${driverId}`,
    as,
  })

async function save(as: string, driverId: number | null, options: FileOptions = {}): Promise<void> {
  const { status, body } = await service.uploadAndIngest(as, aFile({ driverId, ...options }))
  assert.equal(body.ok, true, `${status} ${body.code}`)
}

const setVerified = (userId: string, isVerified: boolean) =>
  service.identity.people.set(userId, { isVerified, createdAt: daysAgo(2) })

test('binds a driver number at the first saved file, and Undo frees it; the laps stay', async () => {
  await save('first', 100)
  const bound = await numberOf('first', 100)
  assert.ok(Date.now() - Date.parse(bound!.bound_at!) < 60_000)
  assert.deepEqual([bound!.is_disputed, bound!.can_undo], [false, true])
  assert.equal((await undo('first', 100)).status, 204)
  assert.equal((await undo('first', 100)).status, 204)
  assert.deepEqual(await numbersOf('first'), [])
  const { body } = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: 'first' })
  assert.ok((body.laps as { on_board: string[] }[]).some(lap => lap.on_board.length > 0))
  await save('second', 100)
  assert.notEqual((await numberOf('second', 100))?.bound_at, null)
})

test('accepts a file with another account’s number: both accounts see only that it is disputed', async () => {
  await save('holder', 101)
  await save('claimant', 101)
  const [held, claimed] = [await numberOf('holder', 101), await numberOf('claimant', 101)]
  assert.deepEqual([held!.bound_at === null, held!.is_disputed], [false, true])
  assert.deepEqual(claimed, {
    sim: 'iracing',
    driver_number: '101',
    bound_at: null,
    is_disputed: true,
    can_undo: true,
  })
  // After the claim is withdrawn, the number belongs to the other account alone.
  assert.equal((await undo('claimant', 101)).status, 204)
  assert.equal((await numberOf('holder', 101))?.is_disputed, false)
})

test('refuses the same bytes from another account, and binds nothing', async () => {
  const file = aFile({ driverId: 102 })
  assert.equal((await service.uploadAndIngest('bringer', file)).status, 201)
  const { status, body } = await service.uploadAndIngest('copier', file)
  assert.deepEqual([status, body.code], [409, 'upload.belongs_to_another_driver'])
  assert.doesNotMatch(JSON.stringify(body), /bringer/)
  assert.deepEqual(await numbersOf('copier'), [])
})

test('binds a number to a verified account before an unverified one, and leaves it there; the laps stay', async () => {
  setVerified('unproved', false)
  await save('unproved', 103)
  await save('proved', 103)
  await until(
    async () => (await numberOf('proved', 103))?.bound_at !== null,
    'the number to be bound to the verified account',
  )
  const yielded = await numberOf('unproved', 103)
  assert.deepEqual([yielded?.bound_at, yielded?.is_disputed], [null, true])
  const { body } = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: 'unproved' })
  assert.ok((body.laps as { on_board: string[] }[]).some(lap => lap.on_board.length > 0))

  setVerified('unproved', true)
  await until(async () => {
    const row = await service.db
      .selectFrom('person')
      .select('is_verified')
      .where('user_id', '=', 'unproved')
      .executeTakeFirst()
    return row?.is_verified === true
  }, 'the other account to be verified')
  assert.notEqual((await numberOf('proved', 103))?.bound_at, null)
})

test('binds a disputed number to the other account after Undo', async () => {
  await save('gives up', 104)
  await save('waits', 104)
  assert.equal((await undo('gives up', 104)).status, 204)
  const number = await numberOf('waits', 104)
  assert.deepEqual([number?.bound_at === null, number?.is_disputed], [false, false])
})

test('binds nothing for a file without a driver number, or of a team entry', async () => {
  await save('no number', null)
  await save('team mate', 105, { teamId: 9 })
  await save('zero', 0)
  for (const as of ['no number', 'team mate', 'zero']) assert.deepEqual(await numbersOf(as), [])
  await save('drives alone', 105)
  assert.notEqual((await numberOf('drives alone', 105))?.bound_at, null)
})

test('binds nothing for a file without a lap that counts', async () => {
  await save('no lap', 106, { scores: [-1, -1] })
  assert.deepEqual(await numbersOf('no lap'), [])
})

test('rejects Undo after seven days', async () => {
  await save('settled', 107)
  await service.db
    .updateTable('sim_driver')
    .set({ created_at: new Date(Date.now() - 7 * 86_400_000 - 1_000) })
    .where('sim_user_id', '=', '107')
    .execute()
  assert.equal((await numberOf('settled', 107))?.can_undo, false)
  const { status, body } = await undo('settled', 107)
  assert.deepEqual([status, body.code], [409, 'ingest.number_stays'])
  assert.equal((await numberOf('settled', 107))?.bound_at === null, false)
})

test('flags the first file of another number than the bound one; its laps count', async () => {
  await save('two numbers', 120)
  assert.deepEqual(await flagsOf('two numbers'), [])
  await save('two numbers', 121)
  // Neither a second file of that number nor one of the own number is flagged.
  await save('two numbers', 121, { lapTimesS: [19] })
  await save('two numbers', 120, { lapTimesS: [18] })
  await save('two numbers', null, { lapTimesS: [17] })
  assert.deepEqual(await flagsOf('two numbers'), [['other_number', '121']])
  const { body } = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: 'two numbers' })
  const times = (body.laps as { time_ms: number; reasons: string[] }[]).flatMap(lap =>
    lap.reasons.length === 0 ? [lap.time_ms] : [],
  )
  assert.ok(
    [19_000, 18_000, 17_000].every(timeMs => times.includes(timeMs)),
    String(times),
  )
  // No other account claims the number.
  assert.equal((await numberOf('two numbers', 121))?.is_disputed, false)
  assert.equal((await undo('two numbers', 121)).status, 204)
  await save('two numbers', 121, { lapTimesS: [16] })
  assert.equal((await flagsOf('two numbers')).length, 2)
})

test('flags no other number after the bound one was withdrawn', async () => {
  await save('corrects', 122)
  assert.equal((await undo('corrects', 122)).status, 204)
  await save('corrects', 123)
  assert.deepEqual(await flagsOf('corrects'), [])
})

/** Returns kind and driver number of the files of an account that moderators see. */
async function flagsOf(userId: string): Promise<readonly (readonly [string, string | null])[]> {
  const rows = await service.db
    .selectFrom('conflict')
    .select(['kind', 'sim_user_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(row => [row.kind, row.sim_user_id])
}

test('frees no number of another account', async () => {
  await save('owner', 108)
  assert.equal((await undo('stranger', 108)).status, 204)
  assert.notEqual((await numberOf('owner', 108))?.bound_at, null)
  assert.equal((await service.call('listDriverNumbers', listing)).status, 401)
})

const listing = { method: 'GET', url: '/api/laps/driver-numbers' } as const

test('limits an account to fifty claims, and still saves its laps with other numbers', async () => {
  const claims = Array.from({ length: 50 }, (_, index) => ({
    sim: 'iracing',
    sim_user_id: String(9_000 + index),
    user_id: 'greedy',
  }))
  await service.db.insertInto('driver_claim').values(claims).execute()
  await save('greedy', 109)
  assert.equal(await numberOf('greedy', 109), undefined)
  assert.equal((await numbersOf('greedy')).length, 50)
})
