import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { runModerate } from '../test/run-moderate.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const moderate = (...args: string[]) => runModerate(service, ...args)

async function assertRefused(as: string, bytes: Uint8Array): Promise<void> {
  const { status, body } = await service.giveAndIngest(as, bytes)
  assert.deepEqual([status, body.code], [409, 'upload.belongs_to_another_driver'])
}

test('a driver whose number another account has taken is told to a moderator, and free once released', async () => {
  assert.equal((await service.giveAndIngest('thief', aFile({ driverId: 77 }))).status, 201)
  await assertRefused('honest', aFile({ driverId: 77, lapTimesS: [19] }))
  const { code, out } = await moderate('conflicts')
  assert.equal(code, 0)
  assert.match(out, /^\S+ driver of thief, brought by honest: driver 77, [0-9a-f]{64}\n$/)
  assert.deepEqual(await moderate('release-driver', 'iracing', '77'), { code: 0, out: 'released\n' })
  assert.equal((await service.giveAndIngest('honest', aFile({ driverId: 77, lapTimesS: [18] }))).status, 201)
  await assertRefused('thief', aFile({ driverId: 77, lapTimesS: [17] }))
})

test('a file that another account has brought first is free once released', async () => {
  const bytes = aFile({ driverId: 78 })
  assert.equal((await service.giveAndIngest('robber', bytes)).status, 201)
  await assertRefused('robbed', bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  assert.ok(
    (await moderate('conflicts')).out.includes(`file of robber, brought by robbed: driver 78, ${sha256}`),
  )
  await moderate('release-file', sha256)
  await moderate('release-driver', 'iracing', '78')
  assert.equal((await service.giveAndIngest('robbed', bytes)).status, 201)
})

test('what is nobody’s is said to be', async () => {
  assert.deepEqual(await moderate('release-driver', 'iracing', '79'), { code: 1, out: 'it was nobody’s\n' })
  assert.equal((await moderate('release-file', '0'.repeat(64))).code, 1)
})

for (const args of [
  [],
  ['release-driver', 'iracing'],
  ['release-file', 'abc'],
  ['conflicts', '5'],
  ['release'],
]) {
  test(`"moderate ${args.join(' ')}" changes nothing and says how it is used`, async () => {
    const { code, out } = await moderate(...args)
    assert.equal(code, 2)
    assert.match(out, /^node src\/moderate\.ts conflicts/)
  })
}
