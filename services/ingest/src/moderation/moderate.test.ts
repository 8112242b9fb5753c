import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { findBound } from '../drivers/driver.repository.ts'
import { aFile } from '../test/a-file.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'
import { runModerate, runModerateProcess } from '../test/run-moderate.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const moderate = (...args: string[]) => runModerate(service, ...args)

async function assertRefused(as: string, bytes: Uint8Array): Promise<void> {
  const { status, body } = await service.uploadAndIngest(as, bytes)
  assert.deepEqual([status, body.code], [409, 'upload.belongs_to_another_driver'])
}

test('lists a driver number that two accounts claim, and binds it by a moderator’s decision', async () => {
  service.identity.people.set('unproved', { isVerified: false, createdAt: daysAgo(2) })
  assert.equal((await service.uploadAndIngest('thief', aFile({ driverId: 77 }))).status, 201)
  await until(() => isVerified('thief'), 'the account to be verified')
  for (const as of ['honest', 'unproved']) {
    assert.equal((await service.uploadAndIngest(as, aFile({ driverId: 77, lapTimesS: [19] }))).status, 201)
  }
  await until(() => isVerified('honest'), 'the account to be verified')
  assert.match(
    (await moderate('conflicts')).out,
    /^\S+ driver of thief, brought by honest: driver 77, [0-9a-f]{64}$/m,
  )
  const since = 'since \\d{4}-\\d\\d-\\d\\dT\\S+'
  const listed = new RegExp(
    `^driver 77 of iracing\n  thief: bound, verified, ${since}\n  honest: not bound, verified, ${since}\n` +
      `  unproved: not bound, not verified, ${since}\n$`,
  )
  assert.match((await moderate('disputed-drivers')).out, listed)

  assert.deepEqual(await moderate('bind-driver', 'iracing', '77', 'honest'), { code: 0, out: 'bound\n' })
  assert.deepEqual(await moderate('disputed-drivers'), { code: 0, out: '' })
  assert.equal(await ownerOf('77'), 'honest')
  // Later files do not change the decision; a new claim is listed again.
  assert.equal((await service.uploadAndIngest('thief', aFile({ driverId: 77, lapTimesS: [18] }))).status, 201)
  assert.equal(
    (await service.uploadAndIngest('another', aFile({ driverId: 77, lapTimesS: [17] }))).status,
    201,
  )
  assert.equal(await ownerOf('77'), 'honest')
  assert.match((await moderate('disputed-drivers')).out, /^ {2}another: not bound/m)
})

test('lists a file of another number than the bound one, until its number is decided', async () => {
  for (const driverId of [90, 91]) {
    assert.equal(
      (await service.uploadAndIngest('two', aFile({ driverId, lapTimesS: [110 - driverId] }))).status,
      201,
    )
  }
  const listed = async (simUserId: string) =>
    (await moderate('conflicts')).out.split('\n').filter(line => line.includes(`driver ${simUserId},`))
  const [line, ...more] = await listed('91')
  assert.match(line!, /^\S+ other_number of two, brought by two: driver 91, bound to 90, [0-9a-f]{64}$/)
  assert.deepEqual(more, [])
  assert.equal((await moderate('bind-driver', 'iracing', '91', 'two')).code, 0)
  assert.deepEqual(await listed('91'), [])
  assert.equal(await ownerOf('91'), 'two')
})

test('binds a released driver number to the next account that brings it', async () => {
  assert.equal((await service.uploadAndIngest('before', aFile({ driverId: 80 }))).status, 201)
  assert.deepEqual(await runModerateProcess(service, 'release-driver', 'iracing', '80'), {
    code: 0,
    out: 'released\n',
  })
  assert.equal(await ownerOf('80'), null)
  assert.equal((await service.uploadAndIngest('next', aFile({ driverId: 80, lapTimesS: [18] }))).status, 201)
  assert.equal(await ownerOf('80'), 'next')
})

test('binds no number to an unknown account', async () => {
  const { code, out } = await moderate('bind-driver', 'iracing', '81', 'nobody')
  assert.deepEqual([code, out], [1, 'there is no such account, or it has saved no lap\n'])
  assert.equal(await ownerOf('81'), null)
})

async function ownerOf(simUserId: string): Promise<string | null> {
  return (await findBound(service.db, { sim: 'iracing', simUserId }))?.userId ?? null
}

async function isVerified(userId: string): Promise<boolean> {
  const row = await service.db
    .selectFrom('person')
    .select('is_verified')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.is_verified ?? false
}

test('accepts a file from its driver after a moderator released it', async () => {
  const bytes = aFile({ driverId: 78 })
  assert.equal((await service.uploadAndIngest('robber', bytes)).status, 201)
  await assertRefused('robbed', bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  assert.ok(
    (await moderate('conflicts')).out.includes(`file of robber, brought by robbed: driver 78, ${sha256}`),
  )
  await moderate('release-file', sha256)
  await moderate('release-driver', 'iracing', '78')
  assert.equal((await service.uploadAndIngest('robbed', bytes)).status, 201)
})

test('answers that there is nothing to release', async () => {
  assert.deepEqual(await moderate('release-driver', 'iracing', '79'), {
    code: 1,
    out: 'there is nothing to release\n',
  })
  assert.equal((await moderate('release-file', '0'.repeat(64))).code, 1)
})

for (const args of [
  [],
  ['release-driver', 'iracing'],
  ['bind-driver', 'iracing', '77'],
  ['bind-driver', 'iracing', 'x', 'honest'],
  ['disputed-drivers', '5'],
  ['place-conflicts', '5'],
  ['release-file', 'abc'],
  ['conflicts', '5'],
  ['release'],
]) {
  test(`prints the usage and changes nothing for "moderate ${args.join(' ')}"`, async () => {
    const { code, out } = await moderate(...args)
    assert.equal(code, 2)
    assert.match(out, /^node src\/moderate\.ts conflicts/)
  })
}
