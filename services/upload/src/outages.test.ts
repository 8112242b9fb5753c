import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ObjectStoreOptions, startObjectStore } from '@lapwing/dev-servers/object-store'
import { createObjectStore, type ObjectStore, type StoreLimits } from '@lapwing/object-store'
import { ownPostgres } from '@lapwing/testing/own-postgres.ts'
import { type Answer, type Harness, harness, sampleFile } from './test/harness.ts'
import { postForm } from './test/post-form.ts'

function refusedFor(answer: Answer, code: string): void {
  assert.equal(answer.status, 503)
  assert.equal(answer.body.code, code)
  assert.match(String(answer.headers['retry-after']), /^\d+$/)
  assert.doesNotMatch(JSON.stringify(answer.body), /127\.0\.0\.1|ECONN|select|uploads\//)
}

test('answers 503 and loses nothing if the store dies at any step, and succeeds later', async t => {
  const { service, store } = await withOwnStore(t)
  await store.kill()
  refusedFor(await service.init('user-a', { size: 5 }), 'upload.store_unavailable')

  await store.start()
  const announced = await service.announce('user-a', sampleFile)
  await store.kill()
  await assert.rejects(postForm(announced, sampleFile))
  refusedFor(await service.complete('user-a', announced), 'upload.store_unavailable')

  await store.start()
  assert.equal((await service.complete('user-a', announced)).body.code, 'upload.not_posted')
  assert.equal(await postForm(announced, sampleFile), 204)
  await store.kill()
  refusedFor(await service.complete('user-a', announced), 'upload.store_unavailable')
  assert.equal((await service.readSession(announced.sessionId))?.state, 'open')

  await store.start()
  assert.equal((await service.complete('user-a', announced)).status, 200)
  await store.kill()
  // A completed upload needs no store for its answer.
  assert.equal((await service.complete('user-a', announced)).status, 200)
})

test('answers 503 if the store dies between the two calls for an object', async t => {
  const { service, store } = await withOwnStore(t)
  const announced = await service.announce('user-a', sampleFile)
  await postForm(announced, sampleFile)
  const dying: ObjectStore = {
    ...service.store,
    async head(key) {
      const facts = await service.store.head(key)
      await store.kill()
      return facts
    },
  }
  refusedFor(
    await service.variant({ store: dying }).complete('user-a', announced),
    'upload.store_unavailable',
  )
  await store.start()
  assert.equal((await service.complete('user-a', announced)).status, 200)
})

test('gives up on a store that hangs, and uses it again when it continues', async t => {
  const { service, store } = await withOwnStore(t, {
    connectWithinMs: 300,
    answerWithinMs: 500,
    callWithinMs: 1_500,
    stallMs: 500,
  })
  const announced = await service.announce('user-a', sampleFile)
  await postForm(announced, sampleFile)
  store.signal('SIGSTOP')
  refusedFor(await service.complete('user-a', announced), 'upload.store_unavailable')
  refusedFor(await service.init('user-a'), 'upload.store_unavailable')
  store.signal('SIGCONT')
  // The store first answers the earlier requests.
  let heard = await service.complete('user-a', announced)
  while (heard.status === 503) heard = await service.complete('user-a', announced)
  assert.equal(heard.status, 200)
})

test('answers 503 if Postgres dies at any step, and succeeds later', async t => {
  const postgres = await ownPostgres(t, 'upload')
  const service = await harness({ database: postgres.database })
  t.after(() => service.close())
  const announced = await service.announce('user-a', sampleFile)
  await postForm(announced, sampleFile)
  const ready = async () => (await service.app.inject({ url: '/readyz' })).statusCode
  assert.equal(await ready(), 200)

  const goAway = async () => {
    await postgres.kill()
    // An open connection ends a moment after the killed server.
    while ((await ready()) === 200) await delay(20)
  }
  await goAway()
  refusedFor(await service.init('user-a'), 'upload.busy')
  refusedFor(await service.complete('user-a', announced), 'upload.busy')
  await assert.rejects(service.readSession(announced.sessionId), /503/)
  assert.equal(await ready(), 503)

  await postgres.start()
  // The first query may still use a connection to the old server.
  while ((await ready()) !== 200) await delay(20)
  const dying: ObjectStore = {
    ...service.store,
    async get(key, options) {
      const content = await service.store.get(key, options)
      await goAway()
      return content
    },
  }
  refusedFor(await service.variant({ store: dying }).complete('user-a', announced), 'upload.busy')

  await postgres.start()
  while ((await ready()) !== 200) await delay(20)
  assert.equal((await service.readSession(announced.sessionId))?.state, 'open')
  assert.equal((await service.complete('user-a', announced)).status, 200)
  assert.equal((await service.init('user-a')).status, 200)
})

/** Starts a store that a test can kill and restart with the same data and port. */
async function withOwnStore(t: TestContext, limits: StoreLimits = {}) {
  const bucket = 'outages'
  const options: ObjectStoreOptions = {
    dir: temporary(t),
    toolsDir: join(import.meta.dirname, '../../../.tools'),
    accessKeyId: 'test',
    secretAccessKey: 'a secret of this test',
    bucket,
  }
  let running = await startObjectStore(options)
  const { url, port, region } = running
  const address = {
    endpoint: url,
    region,
    bucket,
    accessKeyId: 'test',
    secretAccessKey: options.secretAccessKey,
  }
  const store = createObjectStore({ ...address, limits })
  const service: Harness = await harness({
    bucket: {
      address,
      store,
      async drop() {
        store.close()
        await running.kill()
      },
    },
  })
  t.after(() => service.close())
  return {
    service,
    store: {
      kill: () => running.kill(),
      async start() {
        running = await startObjectStore({ ...options, port })
      },
      signal: (name: NodeJS.Signals) => process.kill(running.pid, name),
    },
  }
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-outages-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
