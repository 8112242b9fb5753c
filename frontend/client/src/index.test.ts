import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createCookieJar } from '../../src/testing/cookie-jar.ts'
import { createFakeIdentity } from '../../src/testing/fake-identity.ts'
import { createIdentityClient, type IdentityClientOptions } from './index.ts'

const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

function storage(stored = new Map<string, string>()) {
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

/** Returns a browser of a page at another origin, and clients in it. Timers run only when the test says so. */
function aPage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const identity = createFakeIdentity({ nowMs: Date.now })
  identity.addUser(driver)
  const addresses: string[] = []
  const policy = {
    roles: [
      { role_id: 'steward', permissions: [{ resource_id: 'lap', actions: ['read', 'hold'] }] },
      { role_id: 'admin', permissions: [{ resource_id: 'board', actions: ['*'] }] },
    ],
  }
  const document = createCookieJar(Date.now)
  const shared = { document, localStorage: storage() }
  const warnings: string[] = []
  function open(changes: Partial<IdentityClientOptions> = {}) {
    const window = {
      ...shared,
      sessionStorage: storage(),
      location: new URL('https://racing.test/'),
      navigator: {},
      addEventListener() {},
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
      clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
      async fetch(input: string, init: RequestInit) {
        addresses.push(input)
        const url = new URL(input, 'https://racing.test')
        const isPolicy = url.pathname.includes('/bootstrap/') && !identity.settings.isDown
        if (isPolicy) return Response.json({ data: { rbac_policy: policy } })
        return identity.handle(new Request(url, init))
      },
    }
    return createIdentityClient({
      publicToken: 'public-token-test-1',
      warn: sentence => void warnings.push(sentence),
      window: window as unknown as Window & typeof globalThis,
      ...changes,
    })
  }
  return { identity, open, addresses, warnings }
}

test('signs in, restores the session from the cache, confirms it, and signs out', async t => {
  const page = aPage(t)
  const first = page.open()
  assert.deepEqual(first.userInfo.get(), { value: null, isInitialized: true, fromCache: false })
  assert.equal(first.session.adopt(await first.passwords.authenticate(driver)), true)

  const again = page.open()
  assert.equal(again.sessionInfo.get().fromCache, true)
  assert.deepEqual(again.userInfo.get(), { value: null, isInitialized: false, fromCache: false })
  const confirmed = new Promise<void>(resolve => again.userInfo.subscribe(() => resolve()))
  await confirmed
  const { value, ...rest } = again.sessionInfo.get()
  assert.match(value!.sessionId, /^session-/)
  assert.deepEqual(rest, { isInitialized: true, fromCache: false })
  assert.equal(again.userInfo.get().value?.emails[0]?.email, driver.email)
  assert.equal(again.userInfo.get(), again.userInfo.get(), 'the same object until a change')

  await again.session.signOut()
  assert.deepEqual(again.sessionInfo.get(), { value: null, isInitialized: true, fromCache: false })
  assert.deepEqual(page.warnings, [])
})

test('allows what a role of the person allows, and all actions of a *', async t => {
  const page = aPage(t)
  const client = page.open()
  assert.equal(await client.isAuthorized('lap', 'read'), false, 'nobody is signed in')
  const answer = await client.passwords.authenticate(driver)
  client.session.adopt({ ...answer, user: { ...answer.user, roles: ['steward', 'admin'] } })
  const allowed = []
  for (const question of ['lap read', 'lap delete', 'board delete', 'driver read']) {
    const [resource, action] = question.split(' ') as [string, string]
    if (await client.isAuthorized(resource, action)) allowed.push(question)
  }
  assert.deepEqual(allowed, ['lap read', 'board delete'])
})

test('allows nothing without a policy, and warns in the words of the specification', async t => {
  const page = aPage(t)
  const client = page.open()
  page.identity.settings.isDown = true
  assert.equal(await client.isAuthorized('lap', 'read'), false)
  assert.deepEqual(page.warnings, [
    'Unable to retrieve RBAC policy from servers. Assuming caller has no permissions.',
  ])
})

test('warns about a wrong token and a wrong domain, and then uses the page’s own origin', async t => {
  const page = aPage(t)
  await page
    .open({ publicToken: 'secret-1', baseUrl: 'no domain' })
    .sessions.revoke()
    .catch(() => {})
  assert.deepEqual(page.warnings, [
    'The public token should start with "public-token-".',
    '"no domain" is not a valid domain. The page’s own origin is used instead.',
  ])
  assert.equal(page.addresses.at(-1), '/sdk/v1/sessions/revoke')
})

test('accepts an origin with a port and a domain as the address of identity', async t => {
  const page = aPage(t)
  for (const [baseUrl, origin] of [
    ['http://localhost:4011', 'http://localhost:4011'],
    ['id.lapwing.test', 'https://id.lapwing.test'],
    ['https://id.lapwing.test/path', 'https://id.lapwing.test'],
  ] as const) {
    await page
      .open({ baseUrl })
      .sessions.revoke()
      .catch(() => {})
    assert.equal(page.addresses.at(-1), `${origin}/sdk/v1/sessions/revoke`)
  }
  assert.deepEqual(page.warnings, [])
})

test('sends its start and events of the page together, after 800 ms', async t => {
  const page = aPage(t)
  page.open().track('a page was opened', { name: 'laps' })
  t.mock.timers.tick(799)
  assert.deepEqual(page.addresses, [])
  t.mock.timers.tick(1)
  await new Promise(setImmediate)
  assert.deepEqual(page.addresses, ['/sdk/v1/events'])
})
