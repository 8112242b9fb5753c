import assert from 'node:assert/strict'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { assertOneEffect } from '../test/assert-one-effect.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aMoment } from '../test/moments.ts'
import { startWorkerProcess, type WorkerProcess } from '../test/start-process.ts'
import { type StoreProxy, startStoreProxy } from '../test/store-proxy.ts'

let service: Harness
let proxy: StoreProxy
let drivers = 100

before(async () => {
  service = await harness({ waitMs: 120_000 })
  proxy = await startStoreProxy(service.bucket.address.endpoint)
})

after(async () => {
  await service.close()
  await proxy.close()
})

afterEach(clearStages)

function atRequest(method: string) {
  const moment = aMoment()
  proxy.onRequest = async line => {
    if (line.startsWith(`${method} `)) await moment.stay()
  }
  return { reached: moment.reached, clear: moment.letGo }
}

function clearStages(): void {
  proxy.onRequest = async () => {}
  proxy.onAnswer = async () => {}
}

function startOne(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<WorkerProcess> {
  return startWorkerProcess(t, {
    ...service.env,
    S3_ENDPOINT: proxy.endpoint,
    INGEST_LEASE_MS: '1000',
    ...env,
  })
}

function aDriver(): { userId: string; file: Uint8Array } {
  const driverId = drivers++
  const userId = `driver-${driverId}`
  const file = aFile({ driverId, trackName: `Ring of ${userId}`, padding: 400 })
  fileBytes = file.byteLength
  return { userId, file }
}

/** Bytes of the file of this test. */
let fileBytes = 0

test('writes nothing from a frozen worker that wakes up after another one took its file', async t => {
  const { userId, file } = aDriver()
  const frozen = await startOne(t)
  const { reached, clear } = atRequest('PUT')
  const given = await service.upload.addFile(userId, file)
  const answer = service.ingest(userId, given)
  await reached
  frozen.child.kill('SIGSTOP')
  clearStages()
  const other = await service.startWorker({ INGEST_LEASE_MS: '1000' })
  t.after(() => other.close())
  assert.equal((await answer).status, 201)
  clear()
  frozen.child.kill('SIGCONT')
  await until(() => frozen.log().includes('another attempt has taken over'), 'the frozen worker to give up')
  await assertOneEffect(service, userId, 4)
})

test('finishes its files on SIGTERM, and exits with 0', async t => {
  const { userId, file } = aDriver()
  const worker = await startOne(t)
  const { reached, clear } = atRequest('PUT')
  const given = await service.upload.addFile(userId, file)
  const answer = service.ingest(userId, given)
  await reached
  worker.child.kill('SIGTERM')
  await until(() => worker.log().includes('"stopping"'), 'the signal to be logged')
  clear()
  assert.equal(await worker.exited, 0)
  assert.equal((await answer).status, 201)
  await assertOneEffect(service, userId, 4)
  const { attempt } = await service.db
    .selectFrom('ingest')
    .select('attempt')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.equal(attempt, 1)
})

test('hands a file back that takes longer than the drain, and counts no try', async t => {
  const { userId, file } = aDriver()
  const worker = await startOne(t, { INGEST_LEASE_MS: '600000', DRAIN_MS: '6500' })
  const moment = aMoment()
  proxy.onAnswer = async (line, before) => {
    if (line.startsWith('GET') && before > 0.3 * fileBytes) await moment.stay()
  }
  const given = await service.upload.addFile(userId, file)
  const answer = service.ingest(userId, given)
  await moment.reached
  worker.child.kill('SIGTERM')
  assert.equal(await worker.exited, 0)
  const row = await service.db
    .selectFrom('ingest')
    .select(['state', 'tries', 'attempt_token'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, { state: 'waiting', tries: 0, attempt_token: null }, worker.log())
  clearStages()
  moment.letGo()
  const next = await service.startWorker()
  t.after(() => next.close())
  assert.equal((await answer).status, 201)
  await assertOneEffect(service, userId, 4)
})
