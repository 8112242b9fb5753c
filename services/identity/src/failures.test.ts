import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { provision, serviceUrl } from '@lapwing/db'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { goodPassword, harness, internalKey } from './test/harness.ts'

test('a Postgres that restarts answers service_unavailable and then goes on with the same sessions', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-restart-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  let postgres = await startPostgres({ dir })
  t.after(() => postgres.stop())
  const role = { service: 'identity', password: 'test' }
  await provision(postgres.url, [role])
  const service = await harness(
    {},
    {},
    {
      url: serviceUrl(postgres.url, role),
      ownerUrl: postgres.url,
      drop: async () => {},
    },
  )
  t.after(() => service.close())
  const authenticate = (as: string) =>
    service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as, body: {} })

  const { token } = await service.signUp('restart@example.com')
  await postgres.stop()
  const away = await authenticate(token)
  assert.deepEqual([away.status, away.error], [503, 'service_unavailable'])
  assert.ok(away.headers['retry-after'])
  const signed = `Bearer ${await createServiceTokenSigner(internalKey, 'identity', service.now)()}`
  const internal = await service.app.inject({
    url: '/internal/sessions/session-live-1',
    headers: { authorization: signed },
  })
  assert.equal(internal.statusCode, 503, 'the gateway must not take this for an ended session')
  const ready = await service.app.inject({ url: '/readyz' })
  assert.equal(ready.statusCode, 503)
  assert.equal((await service.app.inject({ url: '/healthz' })).statusCode, 200)
  // Tokens signed so far can still be verified.
  assert.equal(
    (await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })).status,
    200,
  )

  postgres = await startPostgres({ dir, port: postgres.port })
  assert.equal((await authenticate(token)).status, 200)
  const signIn = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email: 'restart@example.com', password: goodPassword },
  })
  assert.equal(signIn.status, 200)
})

test('without any Redis everything works', async t => {
  const service = await harness({}, { REDIS_URL: 'redis://127.0.0.1:1' })
  t.after(() => service.close())
  const { token } = await service.signUp('noredis@example.com')
  const begin = Date.now()
  const { status } = await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: token })
  assert.equal(status, 200)
  assert.ok(Date.now() - begin < 2_000)
  const ready = await service.app.inject({ url: '/readyz' })
  assert.deepEqual([ready.statusCode, ready.json().redis], [200, false])
})
