import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { assertOneEffect } from '../test/assert-one-effect.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aMoment, holdRow } from '../test/moments.ts'
import { startWorkerProcess, type WorkerProcess } from '../test/start-process.ts'
import { type StoreProxy, startStoreProxy } from '../test/store-proxy.ts'

let service: Harness
let proxy: StoreProxy
let drivers = 100
/** The worker that finished the file of the last one, until the next test kills it. */
let successor: WorkerProcess | undefined
const endings: (() => Promise<void>)[] = []

before(async () => {
  service = await harness({ waitMs: 120_000 })
  proxy = await startStoreProxy(service.bucket.address.endpoint)
})

after(async () => {
  await Promise.all(endings.map(end => end()))
  await service.close()
  await proxy.close()
})

interface Stage {
  /** Resolves once the worker has reached the step. */
  readonly reached: Promise<unknown>
  /** Called after the kill. */
  readonly clear: () => unknown
}

/** Stops a worker at each step; `userId` is the account of the file it judges. */
const steps: Readonly<Record<string, (userId: string) => Promise<Stage>>> = {
  'before it fetches': async () => atRequest(/^GET \S*\/uploads\//),
  'in the middle of the file': async () => {
    const moment = aMoment()
    proxy.onAnswer = async (line, before) => {
      if (line.startsWith('GET') && line.includes('/uploads/') && before > 0.3 * fileBytes)
        await moment.stay()
    }
    return { reached: moment.reached, clear: moment.letGo }
  },
  'while it reads': async () => {
    const moment = aMoment()
    proxy.onAnswer = async (line, before) => {
      // Only the last pieces are still to come, so the worker reads next.
      if (line.startsWith('GET') && before > 0.9 * fileBytes) moment.stay()
    }
    return { reached: moment.reached, clear: moment.letGo }
  },
  'before it stores the series': async () => atRequest(/^PUT /),
  'between the series and the record': async userId => {
    const atSeries = atRequest(/^PUT /)
    const locked = atSeries.reached.then(async () => {
      const row = await holdRow(service.db, userId)
      atSeries.clear()
      await row.waitedFor
      return row
    })
    return { reached: locked, clear: async () => (await locked).letGo() }
  },
  'after the record, before leaderboard receives the standing': async () => {
    const moment = aMoment()
    service.leaderboard.beforeStoring = async () => {
      await moment.stay()
      throw new Error('its client is dead')
    }
    return { reached: moment.reached, clear: moment.letGo }
  },
  'after leaderboard received the standing': async () => {
    const moment = aMoment()
    service.leaderboard.afterStoring = moment.stay
    return { reached: moment.reached, clear: moment.letGo }
  },
}

function atRequest(pattern: RegExp): Stage & { readonly clear: () => void } {
  const moment = aMoment()
  proxy.onRequest = async line => {
    if (pattern.test(line)) await moment.stay()
  }
  return { reached: moment.reached, clear: moment.letGo }
}

function clearStages(): void {
  proxy.onRequest = async () => {}
  proxy.onAnswer = async () => {}
  service.leaderboard.beforeStoring = async () => {}
  service.leaderboard.afterStoring = async () => {}
}

function startOne(): Promise<WorkerProcess> {
  const env = { ...service.env, S3_ENDPOINT: proxy.endpoint, INGEST_LEASE_MS: '1000' }
  return startWorkerProcess({ after: end => endings.push(end) }, env)
}

/** Returns the running worker, which the test kills. */
async function takeWorker(): Promise<WorkerProcess> {
  const worker = successor ?? (await startOne())
  successor = undefined
  return worker
}

async function kill(worker: WorkerProcess): Promise<void> {
  worker.child.kill('SIGKILL')
  await worker.exited
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

for (const [step, stage] of Object.entries(steps)) {
  test(`has one effect and answers the driver if a worker is killed ${step}`, async t => {
    t.after(clearStages)
    const { userId, file } = aDriver()
    const worker = await takeWorker()
    const { reached, clear } = await stage(userId)
    const given = await service.upload.addFile(userId, file)
    const answer = service.ingest(userId, given)
    await reached
    await kill(worker)
    await clear()
    clearStages()
    successor = await startOne()
    const { status, body } = await answer
    assert.equal(status, 201)
    assert.equal(body.best_lap_time_ms, 19_500)
    assert.equal(body.rank, 1)
    await assertOneEffect(service, userId, 4)
    // The next worker removed the files of the dead one when it started.
    assert.equal(readdirSync(service.env.TMPDIR!).length, 1)
  })
}

test('leaves a job in the queue if a worker is killed before it claims the ingest', async t => {
  t.after(clearStages)
  if (successor !== undefined) await kill(successor)
  const { userId, file } = aDriver()
  const given = await service.upload.addFile(userId, file)
  const answer = service.ingest(userId, given)
  await until(async () => {
    const row = await service.db
      .selectFrom('ingest')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row !== undefined
  }, 'the row to be written')
  const row = await holdRow(service.db, userId)
  const worker = await startOne()
  await row.waitedFor
  await kill(worker)
  await row.letGo()
  const next = await service.startWorker()
  t.after(() => next.close())
  assert.equal((await answer).status, 201)
  await assertOneEffect(service, userId, 4)
})
