import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { createLogger } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { internalKey } from '../test/serve.ts'
import { createOutcomeWaiter, type OutcomeWaiter } from './outcome-waiter.ts'

let service: Harness

before(async () => {
  service = await harness({ waitMs: 100 })
})

after(() => service.close())

const statusOf = (url: string, as: string) => service.call('getIngest', { method: 'GET', url, as })

test('answers 202 with a status address if judging takes longer, and the outcome there later', async () => {
  const given = await service.upload.addFile('slow', aFile({ driverId: 1 }))
  const { status, body, headers } = await service.ingest('slow', given)
  assert.equal(status, 202)
  const url = String(body.status_url)
  assert.equal(headers.location, url)
  assert.deepEqual(body, {
    ok: true,
    ingest_id: body.ingest_id,
    state: 'waiting',
    progress: 0,
    status_url: url,
  })
  assert.deepEqual((await statusOf(url, 'slow')).body, body)
  assert.equal((await statusOf(url, 'other')).body.code, 'ingest.not_found')

  const worker = await service.startWorker()
  await until(async () => (await statusOf(url, 'slow')).status === 201, 'the outcome')
  const outcome = await statusOf(url, 'slow')
  assert.deepEqual((await service.ingest('slow', given)).body, outcome.body)
  await worker.close()
})

test('answers 404 for an unknown ingest, and 400 for an invalid id', async () => {
  const nobody = await statusOf('/api/laps/ingests/0199a945-0a00-7000-8000-000000000000', 'slow')
  assert.equal(nobody.status, 404)
  assert.equal((await statusOf('/api/laps/ingests/none', 'slow')).status, 400)
})

test('answers 202 immediately if too many requests wait', async () => {
  const full = await harness({ maxWaiters: 2, waitMs: 60_000 })
  try {
    const given = await Promise.all(
      [1, 2, 3].map(driverId => full.upload.addFile('crowd', aFile({ driverId }))),
    )
    const answers = given.map(file => full.ingest('crowd', file))
    const first = await Promise.race(answers)
    assert.equal(first.status, 202)
    // Closing answers the others too.
    const closed = full.app.close()
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [202, 202, 202],
    )
    await closed
  } finally {
    await full.close()
  }
})

test('stops waiting for a client that leaves, and judges its file all the same', async () => {
  let waiting = 0
  const watch = (waiter: OutcomeWaiter): OutcomeWaiter => ({
    ...waiter,
    async wait(...args) {
      waiting++
      try {
        return await waiter.wait(...args)
      } finally {
        waiting--
      }
    },
  })
  const own = await harness({ watch, waitMs: 60_000 })
  try {
    await own.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = own.app.server.address() as AddressInfo
    const given = await own.upload.addFile('gone', aFile({ driverId: 2 }))
    const sign = createPrincipalSigner(new TextEncoder().encode(internalKey))
    const sent = request({
      port,
      method: 'POST',
      path: '/api/laps/ingest-best-from-session',
      headers: {
        'content-type': 'application/json',
        [IDENTITY_HEADER]: await sign({ userId: 'gone', sessionId: 'session-test-1', roles: [] }),
      },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify(given))
    await until(() => waiting === 1, 'the request to wait')
    sent.destroy()
    await until(() => waiting === 0, 'the wait to end')
    await own.startWorker()
    await until(async () => {
      const row = await own.db.selectFrom('ingest').select('state').executeTakeFirstOrThrow()
      return row.state === 'done'
    }, 'the file to be judged')
  } finally {
    await own.close()
  }
})

test('serves all waiting requests with one query, and queries again after a database fault', async () => {
  let questions = 0
  let fails = true
  const db = new Proxy(service.db, {
    get(target, name) {
      if (name !== 'selectFrom') return Reflect.get(target, name)
      questions++
      if (fails) throw new Error('no database')
      return Reflect.get(target, name).bind(target)
    },
  })
  const waiter = createOutcomeWaiter({
    db,
    maxWaiters: 1000,
    logger: createLogger('test', 'silent'),
    pollMs: 5,
  })
  const given = await service.upload.addFile('many', aFile({ driverId: 3 }))
  const { body } = await service.ingest('many', given)
  const id = String(body.ingest_id)
  const never = new AbortController()
  const answers = Array.from({ length: 500 }, () => waiter.wait(id, 60_000, never.signal))
  await until(() => questions >= 3, 'three questions')
  assert.ok(questions < 100)
  fails = false
  const worker = await service.startWorker()
  const ended = await Promise.all(answers)
  assert.equal(new Set(ended.map(answer => (answer === 'waiting' ? answer : answer?.state))).size, 1)
  await worker.close()
})
