import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSessionVerifier } from '@lapwing/auth'
import { createLocalJWKSet } from 'jose'
import { service as identity } from '../app.ts'
import { createCipher } from '../crypto/cipher.ts'
import { type Harness, harness } from '../test/harness.ts'
import { createKeyStore } from './key-store.ts'
import { rotateKeys } from './rotate-keys.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const jwks = async () =>
  (await service.call('getJwks', `/v1/sessions/jwks/${service.deps.settings.projectId}`, { method: 'GET' }))
    .body
const rotate = (compromised = false) =>
  rotateKeys({
    db: service.db,
    cipher: service.deps.cipher,
    now: service.now(),
    jwtMaxMinutes: service.deps.settings.jwtMaxMinutes,
    compromised,
  })
const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()).kid
const accepts = async (jwt: string) => {
  const verify = createSessionVerifier({
    jwks: createLocalJWKSet(await jwks()),
    issuer: service.deps.settings.issuer,
    audience: service.deps.settings.projectId,
    now: service.now,
  })
  return verify(jwt).then(
    () => true,
    () => false,
  )
}

test('creates one key if several processes start with an empty database', async t => {
  const fresh = await harness()
  t.after(() => fresh.close())
  const stores = Array.from({ length: 5 }, () =>
    createKeyStore({ db: fresh.db, cipher: fresh.deps.cipher, now: fresh.now }),
  )
  await Promise.all(stores.map(store => store.jwks()))
  assert.equal((await fresh.db.selectFrom('signing_key').select('kid').execute()).length, 1)
})

test('publishes only the public key, and seals the private key at rest', async () => {
  const { keys } = await jwks()
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'e', 'key_ops', 'kid', 'kty', 'n', 'use'])
  const row = await service.db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow()
  assert.ok(!row.private_key_sealed.toString('latin1').includes('PRIVATE KEY'))
  const stranger = createCipher(Buffer.alloc(32, 8))
  assert.throws(() => stranger.open(row.private_key_sealed, `signing-key ${row.kid}`))
  assert.throws(() => service.deps.cipher.open(row.private_key_sealed, 'signing-key another'))
})

test('is not ready with another key-encryption key, and names the variable', async t => {
  await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })
  const keys = createKeyStore({ db: service.db, cipher: createCipher(Buffer.alloc(32, 8)), now: service.now })
  const app = identity.build({ ...service.deps, keys })
  t.after(() => app.close())
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.deepEqual(ready.json().checks, { database: true, signingKey: false })
  assert.match(ready.json().problems.signingKey, /^KEY_ENCRYPTION_KEY does not open/)
  const rows = await service.db.selectFrom('signing_key').select('kid').execute()
  assert.equal(rows.length, 1, 'it creates no second key')
})

test('answers route_not_found for another project’s key set', async () => {
  const { status, error } = await service.call('getJwks', '/v1/sessions/jwks/project-other', {
    method: 'GET',
  })
  assert.deepEqual([status, error], [404, 'route_not_found'])
})

test('publishes a new key before it signs, and the old key until its last token has expired', async () => {
  const old = await service.signUp('old@example.com')
  const kid = await rotate()
  service.advance(31_000)
  assert.equal((await jwks()).keys.length, 2)
  const before = await service.signUp('before@example.com')
  assert.equal(kidOf(before.jwt), kidOf(old.jwt))
  service.advance(20 * 60_000)
  const after = await service.signUp('after@example.com')
  assert.equal(kidOf(after.jwt), kid)
  assert.equal((await jwks()).keys.length, 2)
  assert.equal(await accepts(before.jwt), true)
  assert.equal(await accepts(after.jwt), true)
  service.advance((service.deps.settings.jwtMaxMinutes + 10) * 60_000)
  assert.deepEqual(
    (await jwks()).keys.map((key: { kid: string }) => key.kid),
    [kid],
  )
  await rotate()
  const rows = await service.db.selectFrom('signing_key').select('kid').execute()
  assert.ok(!rows.some(row => row.kid === kidOf(old.jwt)), 'retired keys are deleted')
})

test('rejects every earlier token after a compromise', async () => {
  const { jwt, token } = await service.signUp('stolen@example.com')
  const kid = await rotate(true)
  service.advance(31_000)
  assert.equal(await accepts(jwt), false)
  const { data } = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: {},
  })
  assert.equal(kidOf(data.session_jwt), kid)
  assert.equal(await accepts(data.session_jwt), true)
})

test('signs the first token with a new key', async t => {
  const fresh = await harness()
  t.after(() => fresh.close())
  let atMs = fresh.now().getTime()
  // The clock advances with each reading.
  const keys = createKeyStore({ db: fresh.db, cipher: fresh.deps.cipher, now: () => new Date(atMs++) })
  assert.match(await keys.sign({ sub: 'somebody' }), /^[\w-]+\.[\w-]+\.[\w-]+$/)
})
