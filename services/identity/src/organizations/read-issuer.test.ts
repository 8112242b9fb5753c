import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startIssuer, type TestIssuer } from '../test/issuer.ts'
import { readIssuer } from './read-issuer.ts'

let issuer: TestIssuer

before(async () => {
  issuer = await startIssuer()
})

after(() => issuer.close())

const read = () => readIssuer(issuer.url, 500)

test('reads the addresses of an issuer, and how it accepts the secret', async () => {
  const metadata = {
    issuer: issuer.url,
    authorizeUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    keysUrl: `${issuer.url}/keys`,
    profileUrl: `${issuer.url}/userinfo`,
    clientAuth: 'basic',
  }
  assert.deepEqual(await read(), metadata)
  issuer.changes = {
    userinfo_endpoint: undefined,
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
  }
  assert.deepEqual(await read(), { ...metadata, profileUrl: null, clientAuth: 'form' })
})

for (const [name, changes, problem] of [
  ['names another issuer', { issuer: 'https://evil.example' }, /no discovery document that names it/],
  ['has no address for tokens', { token_endpoint: undefined }, /no https address as token_endpoint/],
  ['has keys behind http', { jwks_uri: 'http://keys.example/' }, /no https address as jwks_uri/],
  ['has an address that is no text', { userinfo_endpoint: 1 }, /no https address as userinfo_endpoint/],
  [
    'signs people in behind another scheme',
    { authorization_endpoint: 'javascript:alert(1)' },
    /no https address as authorization_endpoint/,
  ],
  ['accepts no secret', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }, /no client secret/],
] as const) {
  test(`refuses an issuer whose document ${name}`, async () => {
    issuer.changes = changes
    await assert.rejects(read(), problem)
  })
}

for (const [name, fault] of [
  ['never answers', () => {}],
  ['has no such page', (_, response) => response.writeHead(404).end()],
  ['answers with a page', (_, response) => response.end('<html>')],
  ['redirects the request', (_, response) => response.writeHead(302, { location: '/keys' }).end()],
] as const satisfies readonly (readonly [string, Parameters<TestIssuer['faults']['set']>[1]])[]) {
  test(`refuses an issuer that ${name}`, async () => {
    issuer.changes = {}
    issuer.faults.set('.well-known/openid-configuration', fault)
    try {
      await assert.rejects(read(), /no discovery document that names it/)
    } finally {
      issuer.faults.clear()
    }
  })
}

test('refuses an issuer behind http, and one that is no address', async () => {
  for (const address of ['http://racing.example', 'racing.example', '']) {
    await assert.rejects(readIssuer(address, 500), /must be an https address/)
  }
})
