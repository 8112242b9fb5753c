import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnPostgres, ownPostgres } from '@lapwing/testing/own-postgres.ts'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from './test/a-file.ts'
import { assertOneEffect } from './test/assert-one-effect.ts'
import { type Answer, type Harness, harness } from './test/harness.ts'
import { aMoment } from './test/moments.ts'
import { type StoreProxy, startStoreProxy } from './test/store-proxy.ts'

let postgres: OwnPostgres
let service: Harness
let proxy: StoreProxy
/** Is reached when a request waits for its file. */
let waiting = aMoment()
const endings: (() => void)[] = []

before(async () => {
  postgres = await ownPostgres({ after: end => endings.push(end) }, 'ingest')
  service = await harness({
    database: postgres.database,
    waitMs: 60_000,
    watch: waiter => ({
      ...waiter,
      wait(...args) {
        waiting.stay()
        return waiter.wait(...args)
      },
    }),
  })
  proxy = await startStoreProxy(service.bucket.address.endpoint)
  await service.startWorker({ S3_ENDPOINT: proxy.endpoint, INGEST_LEASE_MS: '1000' })
})

after(async () => {
  await service.close()
  await proxy.close()
  for (const end of endings) end()
})

const statusOfReady = async () => (await service.app.inject('/readyz')).statusCode

function refusedFor({ status, body, headers }: Answer, code: string): void {
  assert.deepEqual([status, body.code], [503, code])
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|ECONN|select|uploads\//)
}

test('answers 503 to every call while Postgres is down, and serves the same calls afterwards', async () => {
  const { body } = await service.uploadAndIngest('early', aFile({ driverId: 1 }))
  const lap = `/api/laps/${body.lap_id}`
  const given = await service.upload.addFile('late', aFile({ driverId: 2 }))

  await postgres.kill()
  await until(async () => (await statusOfReady()) === 503, 'the service to report 503')
  refusedFor(await service.ingest('late', given), 'ingest.busy')
  for (const [operationId, request] of [
    ['getIngest', { method: 'GET', url: `/api/laps/ingests/${body.ingest_id}` }],
    ['listLaps', { method: 'GET', url: '/api/laps' }],
    ['updateLap', { method: 'PATCH', url: lap, body: { reference_allowed: false } }],
    ['deleteLap', { method: 'DELETE', url: lap }],
    ['getReference', { method: 'GET', url: `${lap}/reference` }],
  ] as const)
    refusedFor(await service.call(operationId, { ...request, as: 'early' }), 'ingest.busy')
  assert.equal((await service.app.inject('/healthz')).statusCode, 200)

  await postgres.start()
  await until(async () => (await statusOfReady()) === 200, 'the service to be ready')
  assert.equal((await service.ingest('late', given)).status, 201)
  assert.equal(
    (await service.call('getReference', { method: 'GET', url: `${lap}/reference`, as: 'late' })).status,
    200,
  )
})

/** The request of the worker at which Postgres is killed. */
const steps = {
  'while the file is fetched': /^GET \S*\/uploads\//,
  'before the series are stored': /^PUT /,
  'while leaderboard receives the standing': null,
} as const

for (const [index, [step, pattern]] of Object.entries(steps).entries()) {
  test(`answers a waiting request after Postgres was killed ${step}, with one effect`, async t => {
    const userId = `waiting-${index}`
    const moment = aMoment()
    waiting = aMoment()
    t.after(() => {
      proxy.onRequest = async () => {}
      service.leaderboard.afterStoring = async () => {}
    })
    service.leaderboard.afterStoring = async ({ user_id }) => {
      if (pattern === null && user_id === userId) await moment.stay()
    }
    proxy.onRequest = async line => {
      if (pattern?.test(line)) await moment.stay()
    }
    const file = aFile({ driverId: 10 + index, trackName: `Ring of ${userId}` })
    const answer = service.uploadAndIngest(userId, file)
    await Promise.all([waiting.reached, moment.reached])
    await postgres.kill()
    moment.letGo()
    await until(async () => (await statusOfReady()) === 503, 'the service to report 503')

    await postgres.start()
    const { status, body } = await answer
    assert.deepEqual([status, body.rank], [201, 1], JSON.stringify(body))
    await assertOneEffect(service, userId, 4)
  })
}
