import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDb } from '@lapwing/db'
import { createContexts } from './contexts/contexts.ts'
import type { Database } from './database.ts'
import { aStanding, summitPage } from './test/a-standing.ts'
import { harness } from './test/harness.ts'

test('answers 503 with Retry-After and without a cause to every call while the database is down', async t => {
  const downDb = createDb<Database>({
    url: 'postgres://leaderboard:secret@127.0.0.1:1/none',
    schema: 'leaderboard',
    poolSize: 1,
  })
  const service = await harness({ redis: null, changes: { db: downDb, contexts: createContexts(downDb) } })
  t.after(async () => {
    await service.close()
    await downDb.destroy()
  })
  for (const [operation, url] of [
    ['getPage', summitPage],
    ['getContextId', summitPage.replace('leaderboards?', 'leaderboards/context-id?')],
    ['getMe', '/api/leaderboards/1/me'],
    ['listTracks', '/api/leaderboards/tracks'],
    ['listCars', '/api/leaderboards/tracks/spa/cars'],
  ] as const) {
    const { status, body, headers } = await service.get(operation, url, 'user-a')
    assert.deepEqual([status, body.code, headers['retry-after']], [503, 'leaderboard.busy', '2'])
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|secret|ECONN/)
  }
  await assert.rejects(service.put(aStanding('user-a', 90_000)), /leaderboard\.busy/)
  assert.equal((await service.app.inject('/readyz')).statusCode, 503)
  assert.equal((await service.app.inject('/healthz')).statusCode, 200)
})

test('answers 500 without the cause for a defect', async t => {
  const service = await harness({
    redis: null,
    changes: {
      contexts: {
        find: () => Promise.reject(new Error('select secret from entry')),
        exists: () => Promise.reject(new Error('select secret from entry')),
      },
    },
  })
  t.after(() => service.close())
  const { status, body } = await service.get('getPage', summitPage, 'user-a')
  assert.deepEqual([status, body.code], [500, 'leaderboard.failed'])
  assert.doesNotMatch(JSON.stringify(body), /secret/)
})
