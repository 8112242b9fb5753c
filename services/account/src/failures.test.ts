import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDb } from '@lapwing/db'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { harness } from './test/harness.ts'

test('answers 503 with Retry-After on every call while the database is down', async t => {
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

test('leaves no change half done if connections break, and accepts each change again', async t => {
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
  // Repeats until a cut has interrupted running changes.
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
  assert.ok(refused.length > 0, 'a cut interrupted a change')
  for (const user of [...refused]) {
    // The pool may still hold another broken connection.
    for (let tries = 0; (await save(user)).status !== 200; tries++) {
      assert.ok(tries < 20, 'the change can be repeated')
      refused.push(user)
    }
  }

  const { rows } = await sql<{ profiles: number; changed: number; events: number }>`select
    (select count(*)::int from profile) as profiles,
    (select count(*)::int from profile where not is_default) as changed,
    (select count(*)::int from event_outbox) as events`.execute(service.db)
  const { profiles, changed, events } = rows[0]!
  assert.deepEqual([profiles, changed], [users, users])
  // One event for the default name and one for the chosen name. A change whose answer was lost is made twice.
  assert.ok(
    events >= 2 * users && events <= 2 * users + refused.length,
    `${events} events of ${users} accounts`,
  )
})
