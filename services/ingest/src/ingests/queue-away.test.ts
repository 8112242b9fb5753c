import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import { Redis } from 'ioredis'
import { runWorker } from '../judging/run-worker.ts'
import { requeueUnattended } from '../sweeping/requeue-unattended.ts'
import { aFile } from '../test/a-file.ts'
import { harness } from '../test/harness.ts'
import { ownRedis } from '../test/test-redis.ts'

test('loses no file if the queue goes down and comes back empty', async t => {
  const { url, server, remove } = await ownRedis()
  const service = await harness({ redis: { url, stop: async () => remove() }, waitMs: 60_000 })
  await service.startWorker()
  assert.equal((await service.uploadAndIngest('before', aFile({ driverId: 1 }))).status, 201)

  await server.kill()
  const given = await service.upload.addFile('meanwhile', aFile({ driverId: 2 }))
  const answers = [service.ingest('meanwhile', given), service.ingest('meanwhile', given)]
  await until(async () => (await countOf('meanwhile')) === 1, 'the row of a file that cannot be queued')
  const list = await service.call('listLaps', { method: 'GET', url: '/api/laps', as: 'before' })
  assert.equal(list.status, 200)
  const health = await service.app.inject('/readyz')
  assert.deepEqual([health.statusCode, health.json().queue], [200, false])

  const again = await ownRedis(server.port)
  t.after(async () => {
    await service.close()
    await again.server.stop()
    again.remove()
  })
  for (const answer of answers) assert.equal((await answer).status, 201)
  assert.equal((await service.uploadAndIngest('after', aFile({ driverId: 3 }))).status, 201)

  async function countOf(userId: string): Promise<number> {
    return (await service.db.selectFrom('ingest').select('id').where('user_id', '=', userId).execute()).length
  }
})

test('judges each file once if the queue is wiped while files wait and are judged', async t => {
  const { url, server, remove } = await ownRedis()
  const service = await harness({ redis: { url, stop: () => server.stop() }, waitMs: 60_000 })
  const redis = new Redis(url.href)
  t.after(async () => {
    redis.disconnect()
    await service.close()
    remove()
  })
  const answers = Array.from({ length: 12 }, (_, driver) =>
    service.uploadAndIngest(`driver-${driver}`, aFile({ driverId: 100 + driver, padding: 300 })),
  )
  await until(async () => (await redis.dbsize()) > 12, 'all files to be queued')
  await redis.flushall()
  await service.startWorker()
  await until(async () => {
    const done = await service.db.selectFrom('ingest').select('id').where('state', '=', 'done').execute()
    return done.length >= 4
  }, 'some files to be judged')
  await redis.flushall()
  for (const answer of answers) assert.equal((await answer).status, 201)
  const attempts = await service.db.selectFrom('ingest').select('attempt').execute()
  assert.deepEqual(new Set(attempts.map(row => row.attempt)), new Set([1]))
  const laps = await service.db.selectFrom('lap').select('id').execute()
  assert.equal(laps.length, 12 * 4)
})

test('judges short files before long ones, and a file that has waited long first', async t => {
  const service = await harness({ waitMs: 0 })
  t.after(() => service.close())
  const ids = new Map<string, string>()
  for (const [name, padding] of [
    ['late', 3_000],
    ['long', 2_000],
    ['short', 0],
  ] as const) {
    const { body } = await service.uploadAndIngest(name, aFile({ padding }))
    ids.set(String(body.ingest_id), name)
  }
  await service.db
    .updateTable('ingest')
    .set({ created_at: new Date(Date.now() - 120_000) })
    .where('user_id', '=', 'late')
    .execute()
  await until(() => service.queue.isUp(), 'the queue to be up')
  await requeueUnattended(service)
  const taken: string[] = []
  const worker = runWorker({
    redisUrl: new URL(service.env.REDIS_URL!),
    prefix: service.env.INGEST_QUEUE_PREFIX!,
    concurrency: 1,
    process: async id => {
      taken.push(ids.get(id)!)
    },
    logger: createLogger('test', 'silent'),
  })
  await until(() => taken.length >= 4, 'all jobs to be taken')
  await worker.close({ graceMs: 0, stop: () => {} })
  assert.deepEqual(taken, ['late', 'short', 'long', 'late'])
})
