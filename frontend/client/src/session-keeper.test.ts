import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBrowser, type Browser, signedIn } from '../../src/testing/a-session.ts'
import { settle } from '../../src/testing/manual-clock.ts'
import { SessionUnconfirmedError } from './errors.ts'
import { createPasswords } from './passwords.ts'
import { SESSION_KEY } from './session-keeper.ts'

const authenticates = ({ calls }: Browser['identity']) =>
  calls.filter(({ path }) => path === '/sessions/authenticate')
const minute = 60_000

test('signs in with the token in session storage and the opaque one in the cookie, neither in local storage', async () => {
  const browser = aBrowser()
  const { keeper, session } = await signedIn(browser)
  const state = keeper.get()
  assert.equal(state.status, 'signed-in')
  assert.equal(state.status === 'signed-in' && state.user?.emails[0]?.email, browser.driver.email)
  assert.equal(session.get('lapwing.session-jwt'), await keeper.token())
  assert.match(browser.document.cookie, /^stytch_session=opaque-test-/)
  const stored = [...browser.local.values()].join()
  assert.equal(stored.includes('opaque-test'), false)
  assert.equal(stored.includes(browser.driver.email), false)
  assert.equal(authenticates(browser.identity).length, 0)
})

test('does not sign in if the answer has no session', async () => {
  const browser = aBrowser()
  browser.identity.settings.answersNoSession = true
  const tab = browser.openTab()
  tab.keeper.start()
  const { email, password } = browser.driver
  assert.equal(tab.keeper.adopt(await createPasswords(tab.client).authenticate({ email, password })), false)
  assert.equal(tab.keeper.get().status, 'signed-out')
  assert.equal(browser.document.cookie, '')
})

test('stays signed in immediately after a reload, and asks the provider whether the session is valid', async () => {
  const browser = aBrowser()
  const { session } = await signedIn(browser)
  const tab = browser.openTab({ session })
  tab.keeper.start()
  assert.equal(tab.keeper.get().status, 'signed-in')
  await settle()
  const state = tab.keeper.get()
  assert.equal(state.status === 'signed-in' && state.user?.emails[0]?.email, browser.driver.email)
  assert.deepEqual(authenticates(browser.identity)[0]?.body, { session_duration_minutes: 60 })
})

for (const [name, spoil] of [
  [
    'after the session ended',
    async ({ identity, clock }: Browser) => {
      identity.settings.isDown = true
      await clock.advance(61 * minute)
    },
  ],
  [
    'without its cookie',
    async ({ document }: Browser) => {
      document.cookie = `stytch_session=; Expires=${new Date(0).toUTCString()}`
    },
  ],
] as const) {
  test(`signs out silently and clears everything on a reload ${name}`, async () => {
    const browser = aBrowser()
    const { session } = await signedIn(browser)
    await spoil(browser)
    const tab = browser.openTab({ session })
    tab.keeper.start()
    assert.equal(tab.keeper.get().status, 'signed-out')
    assert.equal(session.size, 0)
    assert.equal(browser.local.has(SESSION_KEY), false)
    assert.equal(tab.expired(), 0)
  })
}

test('keeps the session of a cookie that scripts cannot read, and no script has the opaque token', async () => {
  const browser = aBrowser()
  browser.identity.settings.opaqueIsHidden = true
  const { session } = await signedIn(browser)
  assert.equal(browser.document.cookie, '')
  const tab = browser.openTab({ session })
  tab.keeper.start()
  assert.equal(tab.keeper.get().status, 'signed-in')
})

test('forgets a session that is not to be remembered with the browser, also after a renewal', async () => {
  const browser = aBrowser()
  await signedIn(browser, { remember: false })
  await browser.clock.advance(180_000)
  assert.equal(authenticates(browser.identity).length, 1)
  const written = browser.document.written.filter(text => text.startsWith('stytch_session=opaque'))
  assert.equal(written.length, 2)
  assert.deepEqual(
    written.filter(text => text.includes('Expires')),
    [],
  )
})

test('returns a fresh token as it is, and exchanges one near its end first', async () => {
  const browser = aBrowser()
  browser.identity.settings.tokenSeconds = 900
  const { keeper, tokens } = await signedIn(browser)
  const first = tokens.get()
  await browser.clock.advance(120_000)
  assert.equal(await keeper.token(), first)
  browser.identity.failNext('/sessions/authenticate', { network: true })
  await browser.clock.advance(480_000 - 2000)
  const calls = authenticates(browser.identity).length
  tokens.set(first!)
  await browser.clock.advance(2000)
  assert.notEqual(await keeper.token(), first)
  assert.equal(authenticates(browser.identity).length, calls + 1)
  assert.deepEqual(authenticates(browser.identity).at(-1)?.body, {})
})

test('refreshes once for any number of waiting calls', async () => {
  const browser = aBrowser()
  const { keeper, tokens } = await signedIn(browser)
  tokens.clear()
  const got = await Promise.all(Array.from({ length: 20 }, () => keeper.token()))
  assert.equal(new Set(got).size, 1)
  assert.ok(got[0])
  assert.equal(authenticates(browser.identity).length, 1)
})

test('extends a session that ends soon before it gets a token', async () => {
  const browser = aBrowser()
  const { keeper, tokens } = await signedIn(browser)
  // The background cannot reach the provider for almost an hour.
  browser.identity.settings.isDown = true
  await browser.clock.advance(56 * minute)
  browser.identity.settings.isDown = false
  const token = await keeper.token()
  assert.ok(token)
  assert.equal(token, tokens.get())
  assert.ok(authenticates(browser.identity).some(({ body }) => body.session_duration_minutes === 60))
})

test('skips the eleventh refresh of a kind in a minute, and uses the current token', async () => {
  const browser = aBrowser()
  // As at a hosted provider: every token is near its end from the start.
  browser.identity.settings.tokenSeconds = 290
  const { keeper } = await signedIn(browser)
  for (let call = 0; call < 15; call++) assert.ok(await keeper.token())
  assert.equal(authenticates(browser.identity).length, 10)
  await browser.clock.advance(minute)
  assert.ok(await keeper.token())
  assert.equal(authenticates(browser.identity).length, 11)
})

test('counts the attempts of each kind separately', async () => {
  const browser = aBrowser()
  const { keeper, tokens } = await signedIn(browser)
  for (let call = 0; call < 10; call++) assert.ok(await keeper.refreshToken(tokens.get()!))
  await assert.rejects(keeper.refreshToken(tokens.get()!), SessionUnconfirmedError)
  assert.equal(authenticates(browser.identity).length, 10)
  assert.equal(keeper.get().status, 'signed-in')
  assert.ok(await keeper.reauthenticate())
  assert.equal(authenticates(browser.identity).length, 11)
})

test('renews the session every three minutes in the background', async () => {
  const browser = aBrowser()
  await signedIn(browser)
  await browser.clock.advance(179_999)
  assert.equal(authenticates(browser.identity).length, 0)
  await browser.clock.advance(1)
  assert.equal(authenticates(browser.identity).length, 1)
  assert.deepEqual(browser.clock.waiting(), [180_000])
  await browser.clock.advance(180_000)
  assert.equal(authenticates(browser.identity).length, 2)
})

test('retries an unreachable provider with growing waits, and stays signed in until it is back', async () => {
  const browser = aBrowser()
  const { keeper } = await signedIn(browser)
  const waits: number[] = []
  for (const failure of [
    { network: true },
    { status: 500, type: 'internal_server_error', message: 'x' },
    { status: 502, text: 'Bad gateway' },
    { status: 429, type: 'too_many_requests', message: 'x' },
    { status: 400, type: 'invalid_session_token', message: 'x' },
  ] as const) {
    browser.identity.failNext('/sessions/authenticate', failure)
    await browser.clock.advance(browser.clock.waiting()[0]!)
    waits.push(browser.clock.waiting()[0]!)
  }
  assert.deepEqual(waits, [4000, 8000, 16_000, 32_000, 64_000])
  assert.equal(keeper.get().status, 'signed-in')
  await browser.clock.advance(64_000)
  assert.deepEqual(browser.clock.waiting(), [180_000])
})

for (const [name, failure] of [
  ['429', { status: 429, type: 'too_many_requests', message: 'x' }],
  ['503 of identity', { status: 503, type: 'service_unavailable', message: 'x' }],
  ['503 of something in front', { status: 503, text: 'busy' }],
  ['504', { status: 504, type: 'service_unavailable', message: 'x' }],
  ['500', { status: 500, type: 'internal_server_error', message: 'x' }],
  ['the network', { network: true }],
] as const) {
  test(`keeps the session if a renewal fails by ${name}: calls fail until it works again`, async () => {
    const browser = aBrowser()
    const tab = await signedIn(browser)
    // The background cannot renew the session for almost an hour: 20 s of it are left.
    browser.identity.settings.isDown = true
    await browser.clock.advance(60 * minute - 20_000)
    browser.identity.settings.isDown = false
    await browser.clock.advance(0)
    tab.tokens.clear()
    for (const call of [
      () => tab.keeper.token(),
      () => tab.keeper.refreshToken('refused'),
      () => tab.keeper.reauthenticate(),
    ]) {
      browser.identity.failNext('/sessions/authenticate', failure)
      await assert.rejects(call, SessionUnconfirmedError)
      assert.equal(tab.keeper.get().status, 'signed-in')
    }
    assert.equal(tab.expired(), 0)
    assert.deepEqual(tab.warnings, [])
    assert.ok(await tab.keeper.token())
  })
}

test('expires a session that ended while the provider was unreachable', async () => {
  const browser = aBrowser()
  const tab = await signedIn(browser)
  browser.identity.settings.isDown = true
  await browser.clock.advance(60 * minute)
  assert.equal(tab.keeper.get().status, 'signed-in')
  assert.equal(await tab.keeper.token(), null)
  assert.equal(tab.keeper.get().status, 'signed-out')
  assert.equal(tab.expired(), 1)
})

for (const type of [
  'unauthorized_credentials',
  'user_unauthenticated',
  'invalid_secret_authentication',
  'session_not_found',
]) {
  test(`ends the session on ${type}: clears everything, logs a warning, notifies the page once`, async () => {
    const browser = aBrowser()
    const tab = await signedIn(browser)
    browser.identity.failNext('/sessions/authenticate', { status: 401, type, message: 'x' })
    await browser.clock.advance(180_000)
    assert.equal(tab.keeper.get().status, 'signed-out')
    assert.equal(tab.session.size, 0)
    assert.equal(browser.document.cookie, '')
    assert.equal(browser.local.has(SESSION_KEY), false)
    assert.equal(tab.warnings.length, 1)
    assert.equal(tab.expired(), 1)
    assert.deepEqual(browser.clock.waiting(), [])
    assert.equal(await tab.keeper.token(), null)
  })
}

test('ends a session that began more than 24 hours ago', async () => {
  const browser = aBrowser()
  const tab = await signedIn(browser)
  await browser.clock.advance(24 * 60 * minute + 180_000)
  assert.equal(tab.keeper.get().status, 'signed-out')
  assert.equal(tab.expired(), 1)
})

test('ends the session at the provider and clears everything here on sign-out', async () => {
  const browser = aBrowser()
  const tab = await signedIn(browser)
  await tab.keeper.signOut()
  assert.equal(tab.keeper.get().status, 'signed-out')
  assert.equal(browser.identity.calls.at(-1)?.path, '/sessions/revoke')
  assert.equal(browser.document.cookie, '')
  assert.equal(tab.session.size, 0)
  assert.equal(tab.expired(), 0)
  assert.deepEqual(browser.clock.waiting(), [])
})

test('signs out of a session that has already ended, and keeps one that the provider did not end', async () => {
  const browser = aBrowser()
  const tab = await signedIn(browser)
  browser.identity.failNext('/sessions/revoke', { network: true })
  await assert.rejects(tab.keeper.signOut(), { message: 'Unable to contact our servers.' })
  assert.equal(tab.keeper.get().status, 'signed-in')
  browser.identity.endSessions()
  await tab.keeper.signOut()
  assert.equal(tab.keeper.get().status, 'signed-out')
})

test('ignores the answer to a refresh if a new sign-in came first', async () => {
  const browser = aBrowser()
  browser.identity.addUser({ email: 'other@lapwing.test', password: 'another horse' })
  const { keeper, client } = await signedIn(browser)
  const refreshing = keeper.reauthenticate()
  const other = { email: 'other@lapwing.test', password: 'another horse' }
  keeper.adopt(await createPasswords(client).authenticate(other))
  await refreshing
  const state = keeper.get()
  assert.equal(state.status === 'signed-in' && state.user?.emails[0]?.email, 'other@lapwing.test')
})

test('follows another tab: signs in, renews and signs out with it', async () => {
  const browser = aBrowser()
  const other = browser.openTab()
  other.keeper.start()
  const tab = await signedIn(browser)
  await settle()
  assert.equal(other.keeper.get().status, 'signed-in')
  assert.equal(await other.keeper.token(), await tab.keeper.token())
  assert.equal(authenticates(browser.identity).length, 0)

  await browser.clock.advance(180_000)
  assert.equal(authenticates(browser.identity).length, 1, 'one tab renews for all')
  assert.equal(await other.keeper.token(), await tab.keeper.token())

  await tab.keeper.signOut()
  await settle()
  assert.equal(other.keeper.get().status, 'signed-out')
  assert.equal(other.session.size, 0)
  assert.equal(other.expired(), 0)
})

test('shares one refresh between tabs that need a token at the same moment', async () => {
  const browser = aBrowser()
  const other = browser.openTab()
  other.keeper.start()
  const tab = await signedIn(browser)
  await settle()
  tab.tokens.clear()
  other.tokens.clear()
  const [first, second] = await Promise.all([tab.keeper.token(), other.keeper.token()])
  assert.equal(first, second)
  assert.ok(first)
  assert.equal(authenticates(browser.identity).length, 1)
})

test('ignores invalid data from another tab or from the storage', async () => {
  const browser = aBrowser()
  for (const stored of ['', '{', 'null', '[]', '{"session":{}}', '{"session":{"userId":1}}']) {
    browser.local.set(SESSION_KEY, stored)
    const tab = browser.openTab()
    tab.keeper.start()
    assert.equal(tab.keeper.get().status, 'signed-out', stored)
  }
})

for (const [where, aheadMs] of [
  ['ahead', -60 * minute],
  ['behind', 60 * minute],
] as const) {
  test(`signs in, gets tokens and survives a reload on a machine with a clock that is an hour ${where}`, async () => {
    const browser = aBrowser()
    browser.provider.aheadMs = aheadMs
    const other = browser.openTab()
    other.keeper.start()
    const { keeper, session, tokens } = await signedIn(browser)
    await settle()
    assert.equal(keeper.get().status, 'signed-in')
    assert.equal(await keeper.token(), tokens.get())
    assert.equal(await other.keeper.token(), tokens.get())
    assert.equal(authenticates(browser.identity).length, 0, 'the token counts as fresh')
    assert.match(browser.document.cookie, /^stytch_session=/)
    const tab = browser.openTab({ session })
    tab.keeper.start()
    assert.equal(tab.keeper.get().status, 'signed-in')
    await browser.clock.advance(61 * minute)
    assert.ok(await tab.keeper.token())
  })

  test(`stays signed in if the clock jumps and is an hour ${where}`, async () => {
    const browser = aBrowser()
    const { keeper, expired } = await signedIn(browser)
    browser.clock.jump(-aheadMs)
    browser.provider.aheadMs = aheadMs
    assert.ok(await keeper.token())
    await browser.clock.advance(180_000)
    assert.ok(await keeper.token())
    assert.equal(keeper.get().status, 'signed-in')
    assert.equal(expired(), 0)
  })
}
