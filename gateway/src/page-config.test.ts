import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/gateway.json' with { type: 'json' }
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { loadConfig } from './config.ts'
import { startGateway } from './test/gateway.ts'
import { fakeUpstream } from './test/upstream.ts'

test('returns the configuration of the contract', async t => {
  const { app } = await startGateway(t, (await fakeUpstream(t)).url, {
    env: { PAGE_PREVIEW: 'server', PAGE_MAPS: 'false', VERSION: '1.4.0' },
  })
  const answer = await app.inject('/config.json')
  checkAnswer(contract, 'getPageConfig', answer)
  assert.deepEqual(answer.json(), {
    preview: 'server',
    maps: false,
    mapSources: { street: null, satellite: null, streetView: null, photo: [] },
    version: '1.4.0',
    identity: null,
  })
  assert.equal(answer.headers['cache-control'], 'no-cache')
})

for (const [what, env, origins] of [
  ['the default street map', {}, ['https://tiles.openfreemap.org']],
  ['no map', { PAGE_MAPS: 'false' }, []],
  [
    'raster tiles of two hosts and a street view',
    {
      MAP_STREET: 'http://127.0.0.1:9000/{z}/{x}/{y}.png',
      MAP_STREET_ATTRIBUTION: '© Streets',
      MAP_SATELLITE: 'https://sat.example/{z}/{x}/{y}?key=k',
      MAP_SATELLITE_ATTRIBUTION: '© Satellite',
      MAP_STREET_VIEW: 'https://maps.example/?at={lat},{lon}',
    },
    ['http://127.0.0.1:9000', 'https://sat.example'],
  ],
] as const) {
  test(`returns ${what}, and a policy that allows exactly their origins`, async t => {
    const { app } = await startGateway(t, (await fakeUpstream(t)).url, { env })
    const answer = await app.inject('/config.json')
    checkAnswer(contract, 'getPageConfig', answer)
    assert.deepEqual(answer.json().mapSources, loadConfig(env).mapSources)
    const policy = String(answer.headers['content-security-policy'])
    assert.ok(policy.includes(`; connect-src ${["'self'", ...origins].join(' ')};`), policy)
    assert.equal(policy.match(/https?:/g)?.length ?? 0, origins.length, policy)
  })
}

for (const [where, identityPublicUrl, baseUrl] of [
  ["on the page's own origin", '', ''],
  ['on a host of its own', 'https://id.lapwing.example/', 'https://id.lapwing.example'],
] as const) {
  test(`names the address of an identity ${where}`, async t => {
    const { app } = await startGateway(t, (await fakeUpstream(t)).url, {
      env: {
        ACCOUNT_URL: 'http://account:8085',
        IDENTITY_URL: 'http://identity:8086',
        IDENTITY_PUBLIC_URL: identityPublicUrl,
        INTERNAL_KEY: 'x'.repeat(32),
        PUBLIC_TOKEN: 'public-token-test-1',
      },
    })
    const answer = await app.inject('/config.json')
    checkAnswer(contract, 'getPageConfig', answer)
    assert.deepEqual(answer.json().identity, { baseUrl, publicToken: 'public-token-test-1' })
  })
}

test('answers 304 to a page that has it already, until the deployment changes', async t => {
  const upstream = await fakeUpstream(t)
  const { app } = await startGateway(t, upstream.url, { env: { VERSION: '1' } })
  const { etag } = (await app.inject('/config.json')).headers
  const again = await app.inject({ url: '/config.json', headers: { 'if-none-match': String(etag) } })
  checkAnswer(contract, 'getPageConfig', again)
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')

  const next = await startGateway(t, upstream.url, { env: { VERSION: '2' } })
  const changed = await next.app.inject({ url: '/config.json', headers: { 'if-none-match': String(etag) } })
  assert.equal(changed.statusCode, 200)
})

test('answers HEAD with the headers alone', async t => {
  const { app } = await startGateway(t, (await fakeUpstream(t)).url)
  const answer = await app.inject({ method: 'HEAD', url: '/config.json' })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.body, '')
  assert.ok(Number(answer.headers['content-length']) > 0)
})

test('answers 405 to other methods, as in the contract', async t => {
  const { app } = await startGateway(t, (await fakeUpstream(t)).url)
  const answer = await app.inject({ method: 'POST', url: '/config.json', payload: {} })
  checkAnswer(contract, 'getPageConfig', answer)
  assert.equal(answer.statusCode, 405)
  assert.equal(answer.headers.allow, 'GET, HEAD')
})

test('names the sources of the 3D view, and allows their tiles in the policy only then', async t => {
  const upstream = await fakeUpstream(t)
  const policyOf = async (env: Record<string, string>) => {
    const { app } = await startGateway(t, upstream.url, { env: { MAP_STREET: 'none', ...env } })
    const answer = await app.inject('/config.json')
    checkAnswer(contract, 'getPageConfig', answer)
    return {
      photo: answer.json().mapSources.photo,
      policy: String(answer.headers['content-security-policy']),
    }
  }
  const without = await policyOf({})
  assert.deepEqual(without.photo, [])
  assert.match(without.policy, /script-src 'self';.*connect-src 'self';.*worker-src 'self';/)
  const logo = 'https://lapwing.example/google-maps.svg'
  const withLogo = await policyOf({ MAP_3D_ION_TOKEN: 'token', MAP_3D_GOOGLE_LOGO: logo })
  assert.equal(withLogo.photo[0].logo, logo)
  assert.match(withLogo.policy, /img-src 'self' data: blob: https:\/\/lapwing\.example;/)
  const google = await policyOf({ MAP_3D_GOOGLE_KEY: 'google-key' })
  assert.deepEqual(google.photo, [{ kind: 'google', key: 'google-key' }])
  assert.match(
    google.policy,
    /script-src 'self' 'wasm-unsafe-eval';.*connect-src 'self' https:\/\/tile\.googleapis\.com blob:;.*worker-src 'self' blob:;/,
  )
})
