import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { provision, serviceUrl } from '@lapwing/db'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts'
import { goodPassword, harness, internalKey } from './test/harness.ts'

/** Starts the service on a Postgres of its own, which the test can stop and restart. */
async function startOnOwnPostgres(t: TestContext, changes: Partial<Deps> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-restart-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  let postgres = await startPostgres({ dir, withoutSync: true })
  t.after(() => postgres.stop())
  const role = { service: 'identity', password: 'test' }
  await provision(postgres.url, [role])
  const service = await harness(
    changes,
    {},
    {
      url: serviceUrl(postgres.url, role),
      ownerUrl: postgres.url,
      drop: async () => {},
    },
  )
  t.after(() => service.close())
  return {
    service,
    postgres,
    restart: async () => {
      postgres = await startPostgres({ dir, port: postgres.port, withoutSync: true })
    },
  }
}

test('answers service_unavailable while Postgres restarts, and then accepts the same sessions', async t => {
  const { service, postgres, restart } = await startOnOwnPostgres(t)
  const authenticate = (as: string) =>
    service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as, body: {} })

  const { token } = await service.signUp('restart@example.com')
  await postgres.stop()
  const whileDown = await authenticate(token)
  assert.deepEqual([whileDown.status, whileDown.error], [503, 'service_unavailable'])
  assert.ok(whileDown.headers['retry-after'])
  const signed = `Bearer ${await createServiceTokenSigner(internalKey, 'identity')()}`
  const internal = await service.app.inject({
    url: '/internal/sessions/session-live-1',
    headers: { authorization: signed },
  })
  assert.equal(internal.statusCode, 503, 'the gateway must not treat this as an ended session')
  const ready = await service.app.inject({ url: '/readyz' })
  assert.equal(ready.statusCode, 503)
  assert.equal((await service.app.inject({ url: '/healthz' })).statusCode, 200)
  // Earlier JWTs can still be verified.
  assert.equal(
    (await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })).status,
    200,
  )

  await restart()
  assert.equal((await authenticate(token)).status, 200)
  const signIn = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'restart@example.com', password: goodPassword },
  })
  assert.equal(signIn.status, 200)
})

test('leaves none of fifty sign-ups half done if Postgres restarts meanwhile', async t => {
  const inner = await createPasswordHasher({ memoryKib: 64, passes: 1, concurrency: 2, maxWaitMs: 60_000 })
  let hashed = 0
  const stopping = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const hasher: PasswordHasher = {
    ...inner,
    // Twenty succeed, twenty write while the database stops, ten write after that.
    async hash(password) {
      hashed++
      if (hashed > 40) await stopped.promise
      else if (hashed > 20) await stopping.promise
      return inner.hash(password)
    },
  }
  const { service, postgres, restart } = await startOnOwnPostgres(t, { hasher })
  const emails = Array.from({ length: 50 }, (_, index) => `middle.${index}@example.com`)
  const signUp = (email: string) =>
    service.call('createPassword', '/sdk/v1/passwords', { body: { email, password: goodPassword } })
  const signingUp = emails.map(signUp)
  await Promise.race(signingUp)
  stopping.resolve()
  await postgres.stop()
  stopped.resolve()
  const answers = await Promise.all(signingUp)
  assert.ok(answers.some(({ status }) => status === 200))
  assert.ok(answers.some(({ error }) => error === 'service_unavailable'))
  for (const { status, error } of answers) {
    if (status !== 200) assert.deepEqual([status, error], [503, 'service_unavailable'])
  }

  await restart()
  const { rows } = await sql<{ email: string; has_all: boolean }>`
    select email.address as email, password.user_id is not null and exists(
      select from session where session.user_id = person.user_id) as has_all
    from person left join email using (user_id) left join password using (user_id)`.execute(service.db)
  assert.deepEqual(
    rows.filter(row => !row.has_all || row.email === null),
    [],
    'every account has an address, a password and a session',
  )
  const known = new Set(rows.map(({ email }) => email))
  for (const [index, { status }] of answers.entries()) {
    const email = emails[index]!
    if (status === 200) assert.ok(known.has(email), 'a successful answer means a stored account')
    // A retry succeeds: as a sign-up, or as a sign-in if only the answer was lost.
    const again = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
      body: { email, password: goodPassword },
    })
    assert.equal(again.status, known.has(email) ? 200 : 401)
    if (!known.has(email)) assert.equal((await signUp(email)).status, 200)
  }
})

test('works without Redis', async t => {
  const service = await harness({}, { REDIS_URL: 'redis://127.0.0.1:1' })
  t.after(() => service.close())
  const { token } = await service.signUp('noredis@example.com')
  const { status } = await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: token })
  assert.equal(status, 200)
  const ready = await service.app.inject({ url: '/readyz' })
  assert.deepEqual([ready.statusCode, ready.json().redis], [200, false])
})
