import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDb } from '@lapwing/db'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { harness } from './test/harness.ts'

test('503 with Retry-After while the database is away, on every call that needs it', async t => {
  const db = createDb<Database>({
    url: 'postgres://account@127.0.0.1:1/none',
    schema: 'account',
    poolSize: 2,
  })
  t.after(() => db.destroy())
  const service = await harness({ db })
  t.after(() => service.close())
  for (const [operationId, method, path, body] of [
    ['getUsername', 'GET', '/username', undefined],
    ['setUsername', 'POST', '/username', { username: 'apexhunter' }],
    ['checkUsername', 'GET', '/username/check/apexhunter', undefined],
    ['getConsent', 'GET', '/consent', undefined],
    ['setConsent', 'POST', '/consent', { waitlist: true, marketing: false }],
    ['deleteAccount', 'DELETE', '/account', { username: 'apexhunter' }],
  ] as const) {
    const answer = await service.call(operationId, {
      method,
      url: `/api/v1/auth${path}`,
      as: 'user-a',
      ...(body !== undefined && { body }),
    })
    assert.deepEqual([answer.status, answer.body.code], [503, 'account.busy'], operationId)
    assert.equal(answer.headers['retry-after'], '2')
  }
  assert.equal((await service.app.inject({ url: '/readyz' })).statusCode, 503)
  assert.equal((await service.app.inject({ url: '/healthz' })).statusCode, 200)
})

test('connections that are cut in the middle leave no change half done, and each can be made again', async t => {
  const service = await harness()
  t.after(() => service.close())
  const save = (user: number) =>
    service.call('setUsername', {
      method: 'POST',
      url: '/api/v1/auth/username',
      as: `user-${user}`,
      body: { username: `driver-${user}` },
    })
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`

  const refused: number[] = []
  let users = 0
  // Until a cut has met changes that were under way.
  for (let round = 0; round < 50 && refused.length === 0; round++) {
    const first = users
    const changes = Array.from({ length: 20 }, () => save(users++))
    await Promise.race([Promise.all(changes), cut.execute(service.db).catch(() => {})])
    for (const [index, { status, body }] of (await Promise.all(changes)).entries()) {
      if (status === 200) continue
      assert.deepEqual([status, body.code], [503, 'account.busy'])
      refused.push(first + index)
    }
  }
  assert.ok(refused.length > 0, 'a cut met a change')
  for (const user of [...refused]) {
    // The pool may hold another connection that was cut.
    for (let tries = 0; (await save(user)).status !== 200; tries++) {
      assert.ok(tries < 20, 'it can be made again')
      refused.push(user)
    }
  }

  const { rows } = await sql<{ profiles: number; changed: number; told: number }>`select
    (select count(*)::int from profile) as profiles,
    (select count(*)::int from profile where not is_default) as changed,
    (select count(*)::int from event_outbox) as told`.execute(service.db)
  const { profiles, changed, told } = rows[0]!
  assert.deepEqual([profiles, changed], [users, users])
  // The given name and the chosen one, each told with its change; a change whose answer was cut off is made twice.
  assert.ok(told >= 2 * users && told <= 2 * users + refused.length, `${told} words of ${users} people`)
})
