import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newWallet, type TestWallet } from '@lapwing/identity/test/wallets'
import { until } from '@lapwing/testing/until.ts'
import { base58 } from '@scure/base'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { stopClock } from '../accounts.ts'
import { shortVisitFlags } from '../browser-flags.ts'
import { addBrowserWallets } from '../browser-wallets.ts'
import { findChromium } from '../find-chromium.ts'
import { addVirtualAuthenticator, totpCode } from '../second-factors.ts'
import { type Accounts, publicToken, startAccounts } from '../testing/accounts-stack.ts'
import { linkIn } from '../testing/mails.ts'
import { startIssuer } from '../testing/trusted-issuer.ts'
import { type ClientWindow, type Json, openClient } from './client-browser.ts'
import { type ClientPage, type ClientVersion, serveClientPage } from './client-page.ts'

const goodPassword = 'violet kerb sausage 42'
const otherPassword = 'amber chicane teapot 77'
/** The session duration that Lapwing's own page asks for. */
const sessionMinutes = { session_duration_minutes: 60 }
/** Milliseconds after which the client refreshes its session. */
const refreshMs = 180_000

/**
 * Tests the hosted provider's official browser client, unchanged and in a real browser, against identity. It
 * must behave as with the provider. One list of flows for all versions.
 */
export function testOfficialClient(version: ClientVersion): void {
  let browser: Browser
  let page: ClientPage
  let accounts: Accounts

  before(async () => {
    const executablePath = findChromium(process.env)
    assert.ok(executablePath, 'The browser tests need Chromium or Chrome, on PATH or in CHROME_PATH.')
    page = await serveClientPage(version)
    accounts = await startAccounts({
      pageOrigin: page.origin,
      // Binds links to the browser that asked, as the client can do.
      identity: { PKCE_FOR_LINKS: 'true' },
    })
    page.pointAt(accounts.identityUrl, publicToken)
    browser = await chromium.launch({ executablePath, args: shortVisitFlags })
  })
  after(async () => {
    await browser?.close()
    await accounts?.stop()
    await page?.close()
  })

  interface Visitor {
    readonly context: BrowserContext
    /** An address that no other test uses. */
    readonly email: string
    readonly open: (path?: string) => Promise<ClientWindow>
    readonly signUp: (window: ClientWindow, email?: string) => Promise<Signed>
  }
  interface Signed {
    readonly user_id: string
    readonly session_token: string
    readonly session: { readonly session_id: string; readonly expires_at: string }
  }

  /** Defines a test of one person's browser. It also fails if the browser calls another machine. */
  function flow(name: string, body: (visitor: Visitor) => Promise<void>): void {
    test(`${version}: ${name}`, { timeout: 60_000 }, async () => {
      const context = await browser.newContext()
      context.setDefaultTimeout(15_000)
      const strangers: string[] = []
      context.on('request', request => {
        const { protocol, hostname } = new URL(request.url())
        if (protocol.startsWith('http') && !['localhost', '127.0.0.1'].includes(hostname))
          strangers.push(request.url())
      })
      visitors++
      await accounts.forgetTries()
      try {
        const email = `visitor.${visitors}@lapwing.test`
        await body({
          context,
          email,
          open: (path = '/') => openClient(context, page.origin + path, publicToken),
          signUp: (window, as = email) =>
            window.call('passwords.create', { email: as, password: goodPassword, ...sessionMinutes }),
        })
        assert.deepEqual(strangers, [])
      } finally {
        await context.close()
      }
    })
  }
  let visitors = 0

  let numbers = 0
  /** Returns the number of a mobile phone that no other test uses. */
  const newNumber = () => `+49151${40_000_000 + numbers++}`

  let app: Promise<string> | null = null
  /** Returns the client id of an app that people can connect. A process registers it, so all tests share it. */
  const anApp = () => {
    app ??= accounts.registerApp({ redirect: 'https://app.example/back' })
    return app
  }

  const appVerifier = 'v'.repeat(43)
  /** Exchanges the code of a public app for an access token, as the app does. */
  async function tokenOfApp(
    request: { readonly client_id: string; readonly redirect_uri: string },
    code: string,
  ): Promise<string> {
    const { client_id, redirect_uri } = request
    const answer = await fetch(`${accounts.identityUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id,
        code,
        redirect_uri,
        code_verifier: appVerifier,
      }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  /** Proves the address of the signed-in visitor with a code by mail. */
  async function proveAddress(window: ClientWindow, email: string): Promise<void> {
    const { method_id } = await window.call('otps.email.send', email, { expiration_minutes: 5 })
    const code = /\b\d{6}\b/.exec((await accounts.mailTo(email)).text)![0]
    await window.call('otps.authenticate', code, method_id, sessionMinutes)
  }

  const signIn = (window: ClientWindow, email: string, password: string) =>
    window.call('passwords.authenticate', { email, password, ...sessionMinutes })

  flow(
    'stores a session, both cookies and the state on the page after a sign-up',
    async ({ email, open, signUp }) => {
      const window = await open()
      assert.equal(await window.sync('session.getSync'), null)
      const answer = await signUp(window)
      assert.deepEqual(await window.cookieNames(), ['stytch_session', 'stytch_session_jwt'])
      const tokens = await window.sync('session.getTokens')
      assert.equal(tokens.session_token, answer.session_token)
      assert.equal((await window.sync('session.getSync')).session_id, answer.session.session_id)
      assert.equal((await window.sync('user.getSync')).emails[0].email, email)
      const stored = JSON.parse((await window.storage())!)
      assert.equal(stored.session.session_id, answer.session.session_id)
      const [cookie] = await window.page.context().cookies(window.page.url())
      // A cookie's expiry has whole seconds.
      const offMs = cookie!.expires * 1_000 - Date.parse(answer.session.expires_at)
      assert.ok(Math.abs(offMs) <= 1_000, `the cookie ends ${offMs} ms after the session`)
    },
  )

  flow('rejects a second sign-up with the same address', async ({ open, signUp, email }) => {
    const window = await open()
    await signUp(window)
    await window.call('session.revoke')
    const error = await window.fail('passwords.create', { email, password: goodPassword, ...sessionMinutes })
    assert.deepEqual([error.error_type, error.status_code], ['duplicate_email', 400])
  })

  flow('creates a new session for the same person at the next sign-in', async ({ open, signUp, email }) => {
    const window = await open()
    const first = await signUp(window)
    await window.call('session.revoke')
    const second = await signIn(window, email, goodPassword)
    assert.equal(second.user_id, first.user_id)
    assert.notEqual(second.session.session_id, first.session.session_id)
    assert.equal('__user' in second, false)
  })

  flow('returns an API error for a wrong password and signs nobody out', async ({ open, signUp, email }) => {
    const window = await open()
    await signUp(window)
    const error = await window.fail('passwords.authenticate', {
      email,
      password: otherPassword,
      ...sessionMinutes,
    })
    assert.equal(error.name, 'StytchAPIError')
    assert.deepEqual([error.error_type, error.status_code], ['unauthorized_credentials', 401])
    assert.equal(error.error_message, 'Unauthorized credentials.')
    assert.ok(error.request_id)
    await window.untilSignedIn(true)
    await window.call('session.authenticate')
  })

  flow(
    'keeps the session and its end at an explicit refresh, and extends it if asked',
    async ({ open, signUp }) => {
      const window = await open()
      const { session } = await signUp(window)
      const kept = await window.call('session.authenticate')
      assert.equal(kept.session.session_id, session.session_id)
      assert.equal(kept.session.expires_at, session.expires_at)
      assert.notEqual(kept.session_jwt, '')
      const longer = await window.call('session.authenticate', { session_duration_minutes: 120 })
      assert.equal(longer.session.session_id, session.session_id)
      const gainedMs = Date.parse(longer.session.expires_at) - Date.parse(session.expires_at)
      assert.ok(gainedMs > 59 * 60_000, `it gained ${gainedMs} ms`)
    },
  )

  flow('refreshes the session in the background every three minutes', async ({ open, signUp }) => {
    const window = await open()
    await window.page.clock.install()
    await window.page.reload()
    // The test advances the clock itself, so a slow machine does not matter.
    await stopClock(window.page)
    await signUp(window)
    for (const refreshes of [1, 2]) {
      const before = await window.storage()
      await window.page.clock.fastForward(refreshMs - 1_000)
      assert.equal(window.sent('/sessions/authenticate').length, refreshes - 1)
      await window.page.clock.fastForward(2_000)
      await until(
        () => window.sent('/sessions/authenticate').length === refreshes,
        'the session is refreshed',
      )
      const { body, status } = window.sent('/sessions/authenticate').at(-1)!
      assert.deepEqual(body, {})
      assert.equal(await status(), 200)
      await until(async () => (await window.storage()) !== before, 'the client has taken the answer')
    }
    await window.untilSignedIn(true)
  })

  flow('asks for the same minutes again with keepSessionAlive', async ({ open, signUp }) => {
    const window = await open('/?keep')
    await window.page.clock.install()
    await window.page.reload()
    const { session } = await signUp(window)
    await window.page.clock.fastForward(refreshMs + 1_000)
    await until(() => window.sent('/sessions/authenticate').length === 1, 'the session is refreshed')
    const { body, status } = window.sent('/sessions/authenticate')[0]!
    assert.deepEqual(body, { session_duration_minutes: 60 })
    assert.equal(await status(), 200)
    await until(
      async () => (await window.sync('session.getSync')).expires_at > session.expires_at,
      'the session ends later',
    )
  })

  flow(
    'restores the session after a reload from its own store, then from the service',
    async ({ open, signUp }) => {
      const window = await open()
      const { session } = await signUp(window)
      let release = () => {}
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      await window.page.route('**/sessions/authenticate', async route => {
        await held
        await route.continue()
      })
      await window.page.reload()
      const cached = await window.sync('session.getInfo')
      assert.deepEqual([cached.fromCache, cached.session.session_id], [true, session.session_id])
      assert.equal((await window.sync('user.getInfo')).fromCache, true)
      release()
      await until(async () => !(await window.sync('session.getInfo')).fromCache, 'the service has answered')
      assert.equal((await window.sync('session.getSync')).session_id, session.session_id)
      assert.equal((await window.sync('user.getInfo')).fromCache, false)
    },
  )

  flow(
    'keeps the session while the service fails, and retries until it answers',
    async ({ open, signUp }) => {
      const window = await open()
      await window.page.clock.install()
      await window.page.reload()
      await signUp(window)
      let failures = 0
      await window.page.route('**/sessions/authenticate', async route => {
        if (route.request().method() === 'OPTIONS' || failures === 2) return route.continue()
        failures++
        await route.fulfill({
          status: 500,
          contentType: 'application/json',
          headers: { 'access-control-allow-origin': page.origin, 'access-control-allow-credentials': 'true' },
          body: JSON.stringify({ status_code: 500, error_type: 'internal_server_error', request_id: 'x' }),
        })
      })
      await window.page.clock.fastForward(refreshMs + 1_000)
      for (const tries of [1, 2, 3]) {
        await until(() => window.sent('/sessions/authenticate').length === tries, `try ${tries} was made`)
        await window.untilSignedIn(true)
        const status = await window.sent('/sessions/authenticate').at(-1)!.status()
        assert.equal(status, tries < 3 ? 500 : 200)
        // The client starts its next wait only after the answer has reached it.
        await window.page.evaluate(() => new Promise(resolve => queueMicrotask(() => resolve(null))))
        if (tries < 3) await advanceUntil(window, () => window.sent('/sessions/authenticate').length > tries)
      }
      await window.untilSignedIn(true)
    },
  )

  flow('clears the page and every other tab at sign-out, and ends the session', async ({ open, signUp }) => {
    const window = await open()
    const { session_token: token } = await signUp(window)
    const other = await open()
    await other.untilSignedIn(true)
    // A new tab fetches its session. An answer from before the sign-out would restore the session there.
    const asked = () => other.sent('/sessions/authenticate')
    await until(() => asked().length > 0, 'the other tab asked for its session')
    for (const { status } of asked()) assert.equal(await status(), 200)
    await window.call('session.revoke')
    assert.deepEqual(await window.cookieNames(), [])
    assert.equal(await window.storage(), 'null')
    await window.untilSignedIn(false)
    await other.untilSignedIn(false)
    assert.equal(await other.sync('user.getSync'), null)
    assert.equal((await asStranger('/sessions/authenticate', token)).error_type, 'session_not_found')
  })

  flow('signs all tabs in when one tab signs in', async ({ open, signUp }) => {
    const [window, other] = [await open(), await open()]
    const { user_id } = await signUp(window)
    await other.untilSignedIn(true)
    assert.equal((await other.sync('user.getSync')).user_id, user_id)
  })

  flow(
    'signs the page out at the refresh after its session was ended elsewhere',
    async ({ open, signUp }) => {
      const window = await open()
      const { session_token: token } = await signUp(window)
      await asStranger('/sessions/revoke', token)
      const error = await window.fail('session.authenticate')
      assert.equal(error.error_type, 'session_not_found')
      await window.untilSignedIn(false)
      assert.deepEqual(await window.cookieNames(), [])
      assert.equal(await window.storage(), 'null')
    },
  )

  flow('maps each kind of failure to the client’s own error class', async ({ open, signUp, email }) => {
    const window = await open()
    await signUp(window)
    const usage = await window.fail('passwords.create', {
      email,
      password: goodPassword,
      session_duration_minutes: 'long',
    })
    assert.equal(usage.name, 'StytchSDKUsageError')
    assert.match(usage.message, /session_duration_minutes must be a number/)
    const schema = await window.fail('passwords.authenticate', {
      email: 'a'.repeat(2_000),
      password: goodPassword,
      ...sessionMinutes,
    })
    assert.equal(schema.name, 'StytchAPISchemaError')
    assert.match(schema.message, /\.email/)
    const api = await window.fail('session.authenticate', { session_duration_minutes: 1 })
    assert.deepEqual([api.name, api.error_type], ['StytchAPIError', 'invalid_session_duration_minutes'])
    await window.page.route('**/sdk/v1/users/me', route => route.abort())
    const unreachable = await window.fail('user.get')
    assert.equal(unreachable.name, 'StytchAPIUnreachableError')
    await window.untilSignedIn(true)
  })

  flow('signs a new person in with a code by mail, but not with a wrong one', async ({ open, email }) => {
    const window = await open()
    const { method_id } = await window.call('otps.email.loginOrCreate', email, { expiration_minutes: 5 })
    const code = /\b\d{6}\b/.exec((await accounts.mailTo(email)).text)![0]
    const wrong = await window.fail(
      'otps.authenticate',
      code === '000000' ? '000001' : '000000',
      method_id,
      sessionMinutes,
    )
    assert.deepEqual([wrong.error_type, wrong.status_code], ['otp_code_not_found', 404])
    const formless = await window.fail('otps.authenticate', 'abcdef', method_id, sessionMinutes)
    assert.equal(formless.error_type, 'invalid_code')
    const signed = await window.call('otps.authenticate', code, method_id, sessionMinutes)
    assert.equal(signed.user.emails[0].verified, true)
    assert.equal(signed.session.authentication_factors[0].type, 'otp')
    await window.untilSignedIn(true)
  })

  for (const channel of ['sms', 'whatsapp'] as const) {
    flow(
      `signs in with a code by ${channel}, adds a number and removes it`,
      async ({ open, signUp, email }) => {
        const window = await open()
        const number = newNumber()
        const codeTo = async (phone: string) => /\b\d{6}\b/.exec((await accounts.mailTo(phone)).text)![0]
        const { method_id } = await window.call(`otps.${channel}.loginOrCreate`, number, {
          expiration_minutes: 5,
        })
        const code = await codeTo(number)
        const wrong = code === '000000' ? '000001' : '000000'
        const refused = await window.fail('otps.authenticate', wrong, method_id, sessionMinutes)
        assert.deepEqual([refused.error_type, refused.status_code], ['otp_code_not_found', 404])
        const signed = await window.call('otps.authenticate', code, method_id, sessionMinutes)
        assert.equal(signed.user.phone_numbers[0].phone_number, number)
        assert.equal(signed.session.authentication_factors[0].delivery_method, channel)
        await window.untilSignedIn(true)
        const last = await window.fail('user.deletePhoneNumber', signed.user.phone_numbers[0].phone_id)
        assert.equal(last.error_type, 'cannot_delete_last_factor')
        await window.call('session.revoke')

        await signUp(window)
        await proveAddress(window, email)
        const second = newNumber()
        // With a session the client uses the call that adds the number.
        const added = await window.call(`otps.${channel}.send`, second, { expiration_minutes: 5 })
        assert.equal(window.sent(`/otps/${channel}/send/secondary`).length, 1)
        const joined = await window.call(
          'otps.authenticate',
          await codeTo(second),
          added.method_id,
          sessionMinutes,
        )
        assert.equal(joined.user.emails[0].email, email)
        await window.call('user.deletePhoneNumber', joined.user.phone_numbers[0].phone_id)
        assert.deepEqual((await window.sync('user.getSync')).phone_numbers, [])
        await window.call('session.revoke')
        const third = newNumber()
        await window.call(`otps.${channel}.send`, third, { expiration_minutes: 5 })
        assert.equal(window.sent(`/otps/${channel}/send/primary`).length, 1)
        assert.match((await accounts.mailTo(third)).text, /^No Lapwing account has this number/)
      },
    )
  }

  flow('explains numbers that get no texts', async ({ open }) => {
    const window = await open()
    for (const [number, type] of [
      ['015112345678', 'invalid_phone_number'],
      ['+4930901820', 'invalid_phone_number'],
      ['+5511961234567', 'invalid_phone_number_country_code'],
    ] as const) {
      const error = await window.fail('otps.sms.loginOrCreate', number, { expiration_minutes: 5 })
      assert.deepEqual([error.name, error.error_type], ['StytchAPIError', type])
    }
  })

  flow('signs in only the browser that asked for a link by mail', async ({ open, email }) => {
    const window = await open()
    await window.call('magicLinks.email.loginOrCreate', email, {
      login_magic_link_url: `${page.origin}/authenticate`,
      signup_magic_link_url: `${page.origin}/authenticate`,
    })
    assert.ok(await window.storage('::PKCE_VERIFIER:magic_links'))
    const link = linkIn(await accounts.mailTo(email))
    assert.equal(link.searchParams.get('stytch_token_type'), 'magic_links')
    const token = link.searchParams.get('token')!
    const stranger = await browser.newContext()
    try {
      const elsewhere = await openClient(stranger, page.origin, publicToken)
      const error = await elsewhere.fail('magicLinks.authenticate', token, sessionMinutes)
      assert.deepEqual([error.error_type, error.status_code], ['pkce_expected_code_verifier', 400])
    } finally {
      await stranger.close()
    }
    await window.page.goto(link.href)
    const parsed = await window.call('parseAuthenticateUrl')
    assert.deepEqual([parsed.tokenType, parsed.handled], ['magic_links', true])
    const result = await window.call('authenticateByUrl', sessionMinutes)
    assert.equal(result.handled, true)
    assert.deepEqual([result.data.user.emails[0].email, result.data.user.emails[0].verified], [email, true])
    assert.equal(await window.storage('::PKCE_VERIFIER:magic_links'), null)
    assert.equal(new URL(window.page.url()).searchParams.get('token'), null)
    const again = await window.fail('magicLinks.authenticate', token, sessionMinutes)
    assert.equal(again.error_type, 'unable_to_auth_magic_link')
  })

  for (const provider of ['discord', 'google']) {
    flow(`signs up and in again with ${provider}, bound to the browser`, async ({ open, email }) => {
      const window = await open()
      const userIds = new Set<string>()
      for (const round of [1, 2]) {
        const token = await goThrough(window, provider, email)
        assert.ok(await window.storage('::PKCE_VERIFIER:oauth'))
        const signed = await window.call('oauth.authenticate', token, sessionMinutes)
        assert.equal(signed.provider_type.toLowerCase(), provider)
        assert.equal(signed.user.providers[0].provider_subject, signed.provider_subject)
        assert.equal(signed.session.authentication_factors[0].type, 'oauth')
        assert.equal(await window.storage('::PKCE_VERIFIER:oauth'), null)
        const again = await window.fail('oauth.authenticate', token, sessionMinutes)
        assert.equal(again.error_type, 'oauth_token_not_found')
        userIds.add(signed.user_id)
        if (round === 1) await window.call('session.revoke')
      }
      assert.equal(userIds.size, 1)
    })
  }

  flow(
    'rejects a provider token in another browser, and still accepts it in its own',
    async ({ open, email }) => {
      const window = await open()
      const token = await goThrough(window, 'google', email)
      const stranger = await browser.newContext()
      try {
        const elsewhere = await openClient(stranger, page.origin, publicToken)
        const error = await elsewhere.fail('oauth.authenticate', token, sessionMinutes)
        assert.equal(error.error_type, 'pkce_expected_code_verifier')
      } finally {
        await stranger.close()
      }
      await window.call('oauth.authenticate', token, sessionMinutes)
    },
  )

  flow('adds a social account in the session, and in no other browser', async ({ open, signUp, email }) => {
    const window = await open()
    const { user_id } = await signUp(window)
    const unproved = await window.fail('oauth.attach', 'google')
    assert.equal(unproved.error_type, 'unauthorized_action')
    await proveAddress(window, email)
    const { oauth_attach_token } = await window.call('oauth.attach', 'google')
    const token = await goThrough(window, 'google', `social.${email}`, { oauth_attach_token })
    const stranger = await browser.newContext()
    try {
      const elsewhere = await openClient(stranger, page.origin, publicToken)
      await signUp(elsewhere, `stranger.${email}`)
      const refused = await elsewhere.fail('oauth.authenticate', token, sessionMinutes)
      assert.equal(refused.error_type, 'pkce_expected_code_verifier')
    } finally {
      await stranger.close()
    }
    const joined = await window.call('oauth.authenticate', token, sessionMinutes)
    assert.equal(joined.user_id, user_id)
    assert.equal(joined.user.providers[0].provider_subject, joined.provider_subject)
    await window.call('session.revoke')
    const again = await goThrough(window, 'google', `social.${email}`)
    assert.equal((await window.call('oauth.authenticate', again, sessionMinutes)).user_id, user_id)
  })

  flow('returns from a refused provider with a reason and without a token', async ({ open }) => {
    const window = await open()
    await startProvider(window, 'discord')
    await window.page.getByRole('button', { name: 'Deny' }).click()
    await window.page.waitForURL(`${page.origin}/authenticate**`)
    const { searchParams } = new URL(window.page.url())
    assert.ok(searchParams.get('error_type') ?? searchParams.get('error'))
    assert.equal(searchParams.get('token'), null)
  })

  flow(
    'resets a password by mail in the browser that asked, and ends other sessions',
    async ({ open, signUp, email }) => {
      const window = await open()
      const { session_token: before } = await signUp(window)
      const started = { email, reset_password_redirect_url: `${page.origin}/reset` }
      await window.call('passwords.resetByEmailStart', started)
      assert.ok(await window.storage('::PKCE_VERIFIER:passwords'))
      const link = linkIn(await accounts.mailTo(email))
      assert.equal(link.searchParams.get('stytch_token_type'), 'reset_password')
      const token = link.searchParams.get('token')!
      const weak = await window.fail('passwords.resetByEmail', {
        token,
        password: 'aaaaaaaa',
        ...sessionMinutes,
      })
      assert.equal(weak.error_type, 'weak_password')
      await window.page.goto(link.href)
      await window.call('passwords.resetByEmail', { token, password: otherPassword, ...sessionMinutes })
      await window.untilSignedIn(true)
      assert.equal(await window.storage('::PKCE_VERIFIER:passwords'), null)
      assert.equal((await asStranger('/sessions/authenticate', before)).error_type, 'session_not_found')
      await window.call('session.revoke')
      const old = await window.fail('passwords.authenticate', {
        email,
        password: goodPassword,
        ...sessionMinutes,
      })
      assert.equal(old.error_type, 'unauthorized_credentials')
      await signIn(window, email, otherPassword)
    },
  )

  flow('changes a password with the old one, and within the session', async ({ open, signUp, email }) => {
    const window = await open()
    await signUp(window)
    await window.call('passwords.resetByExistingPassword', {
      email,
      existing_password: goodPassword,
      new_password: otherPassword,
      ...sessionMinutes,
    })
    await window.call('passwords.resetBySession', { password: goodPassword, ...sessionMinutes })
    await window.untilSignedIn(true)
    await window.call('session.revoke')
    await signIn(window, email, goodPassword)
  })

  flow('adds an authenticator app, asks for it, and accepts a recovery code once', async visitor => {
    const { open, signUp, email } = visitor
    const window = await open()
    await signUp(window)
    const app = await window.call('totps.create', { expiration_minutes: 60 })
    assert.match(app.qr_code, /^data:image\/png;base64,/)
    assert.equal((await window.sync('user.getSync')).totps[0].verified, false)
    // The same code twice, even if its half minute ends between.
    const totp_code = totpCode(app.secret, 0)
    const confirmed = await window.call('totps.authenticate', { totp_code, ...sessionMinutes })
    assert.equal(confirmed.totp_id, app.totp_id)
    assert.equal((await window.sync('user.getSync')).totps[0].verified, true)
    const replayed = await window.fail('totps.authenticate', { totp_code, ...sessionMinutes })
    assert.equal(replayed.name, 'StytchAPIError')
    assert.match(replayed.error_type!, /^totp_code_already_authenticated|unable_to_authenticate_totp$/)
    await window.call('session.revoke')

    await signIn(window, email, goodPassword)
    const refused = await window.fail('totps.recoveryCodes')
    assert.deepEqual([refused.error_type, refused.status_code], ['insufficient_factors', 401])
    assert.equal((await window.fail('user.deleteTOTP', app.totp_id)).error_type, 'insufficient_factors')
    // The session stays: only the four types of a lost session end it.
    await window.untilSignedIn(true)
    const [recoveryCode] = app.recovery_codes
    const recovered = await window.call('totps.recover', { recovery_code: recoveryCode, ...sessionMinutes })
    assert.equal(recovered.totp_id, app.totp_id)
    const again = await window.fail('totps.recover', { recovery_code: recoveryCode, ...sessionMinutes })
    assert.equal(again.error_type, 'unable_to_authenticate_recovery_code')
    const { totps } = await window.call('totps.recoveryCodes')
    assert.deepEqual([...totps[0].recovery_codes].sort(), app.recovery_codes.slice(1).sort())
    await window.call('user.deleteTOTP', app.totp_id)
    assert.deepEqual((await window.sync('user.getSync')).totps, [])
  })

  flow('registers a passkey, signs in with it, names and removes it', async ({ open, signUp, context }) => {
    const window = await open()
    await addVirtualAuthenticator(context, window.page)
    const { user_id } = await signUp(window)
    const registered = await window.call('webauthn.register', { ...sessionMinutes })
    const id = registered.webauthn_registration_id
    assert.equal((await window.sync('user.getSync')).webauthn_registrations[0].domain, 'localhost')
    const joined = await window.call('webauthn.authenticate', { ...sessionMinutes })
    assert.equal(joined.session.session_id, registered.session.session_id)
    await window.call('session.revoke')
    const signed = await window.call('webauthn.authenticate', { ...sessionMinutes })
    assert.deepEqual([signed.user_id, signed.webauthn_registration_id], [user_id, id])
    assert.equal(signed.session.authentication_factors[0].type, 'webauthn')
    const named = await window.call('webauthn.update', { webauthn_registration_id: id, name: 'phone' })
    assert.equal(named.webauthn_registration.name, 'phone')
    await window.call('user.deleteWebauthnRegistration', id)
    assert.deepEqual((await window.sync('user.getSync')).webauthn_registrations, [])
    await window.call('session.revoke')
    const removed = await window.fail('webauthn.authenticate', { ...sessionMinutes })
    assert.equal(removed.error_type, 'webauthn_registration_not_found')
  })

  for (const type of ['ethereum', 'solana'] as const) {
    flow(
      `signs in with a wallet of ${type}, adds another one and removes it`,
      async ({ context, open, signUp, email }) => {
        const [inPage, second] = [await addBrowserWallets(context), newWallet(type)]
        const first = type === 'ethereum' ? inPage.metamask : inPage.phantom
        const window = await open()
        /** Asks for a text and signs it. */
        const signText = async (wallet: TestWallet, sign: (text: string) => Promise<string>) => {
          const named = { crypto_wallet_address: wallet.address, crypto_wallet_type: type }
          const { challenge } = await window.call('cryptoWallets.authenticateStart', named)
          return { challenge, named: { ...named, signature: await sign(challenge) } }
        }
        /** Asks the wallet in the page, as the client's documentation does. Solana's bytes become base58 here. */
        const signInPage = async (text: string): Promise<string> => {
          const signed = await window.page.evaluate(
            async ({ text, address, type }) => {
              const { ethereum, solana } = globalThis as Json
              if (type === 'ethereum')
                return ethereum.request({ method: 'personal_sign', params: [text, address] })
              const { signature } = await solana.signMessage(new TextEncoder().encode(text), 'utf8')
              return [...signature]
            },
            { text, address: first.address, type },
          )
          return typeof signed === 'string' ? signed : base58.encode(Uint8Array.from(signed))
        }
        const { challenge, named } = await signText(first, signInPage)
        assert.match(challenge, new RegExp(`^${new URL(page.origin).host} wants you to sign in`))
        assert.match(challenge, /Sign in to Lapwing\./)
        assert.equal(/Chain ID: 1$/m.test(challenge), type === 'ethereum')
        const signed = await window.call('cryptoWallets.authenticate', { ...named, ...sessionMinutes })
        const [stored] = signed.user.crypto_wallets
        assert.deepEqual([stored.crypto_wallet_address, stored.verified], [first.address, true])
        assert.equal(signed.session.authentication_factors[0].type, 'crypto')
        await window.untilSignedIn(true)
        const replayed = await window.fail('cryptoWallets.authenticate', { ...named, ...sessionMinutes })
        assert.deepEqual(
          [replayed.error_type, replayed.status_code],
          ['unable_to_authenticate_crypto_wallet', 401],
        )
        await window.untilSignedIn(true)
        const last = await window.fail('user.deleteCryptoWallet', stored.crypto_wallet_id)
        assert.equal(last.error_type, 'cannot_delete_last_factor')
        await window.call('session.revoke')

        await signUp(window)
        await proveAddress(window, email)
        // With a session the client uses the call that adds the wallet.
        const { challenge: adding, named: other } = await signText(second, second.sign)
        assert.match(adding, /Add this wallet to your Lapwing account\./)
        assert.equal(window.sent('/crypto_wallets/authenticate/start/secondary').length, 1)
        const joined = await window.call('cryptoWallets.authenticate', { ...other, ...sessionMinutes })
        assert.equal(joined.user.emails[0].email, email)
        const { named: another } = await signText(first, signInPage)
        const duplicate = await window.fail('cryptoWallets.authenticate', { ...another, ...sessionMinutes })
        assert.equal(duplicate.error_type, 'duplicate_wallet_address')
        await window.call('user.deleteCryptoWallet', joined.user.crypto_wallets[0].crypto_wallet_id)
        assert.deepEqual((await window.sync('user.getSync')).crypto_wallets, [])
      },
    )
  }

  flow('signs in with a token of a trusted issuer, once', async ({ open }) => {
    const issuer = await startIssuer()
    try {
      const profile = `issuer-${visitors}`
      const trust = [profile, issuer.url, 'lapwing', issuer.keysUrl]
      await accounts.operatorCommand('trusted-issuers.ts', 'add', ...trust)
      const window = await open()
      const token = await issuer.sign('lapwing')
      const wrong = { profile_id: profile, token: await issuer.sign('other'), ...sessionMinutes }
      const refused = await window.fail('session.attest', wrong)
      assert.deepEqual([refused.error_type, refused.status_code], ['invalid_trusted_auth_token', 401])
      const signed = await window.call('session.attest', { profile_id: profile, token, ...sessionMinutes })
      assert.equal(signed.session.authentication_factors[0].type, 'trusted_auth_token')
      await window.untilSignedIn(true)
      const again = await window.fail('session.attest', { profile_id: profile, token, ...sessionMinutes })
      assert.equal(again.error_type, 'invalid_trusted_auth_token')
      await window.untilSignedIn(true)
    } finally {
      await issuer.close()
    }
  })

  flow('opens an account for an operator by a link, once, and changes nothing there', async visitor => {
    const { open, signUp, email } = visitor
    const { user_id } = await signUp(await open())
    const said = await accounts.operatorCommand('impersonate.ts', user_id, 'operator@lapwing.test', 'help')
    const link = /https?:\/\/\S+/.exec(said)![0]
    const elsewhere = await browser.newContext()
    try {
      const window = await openClient(elsewhere, link, publicToken)
      const parsed = await window.call('parseAuthenticateUrl')
      assert.deepEqual([parsed.tokenType, parsed.handled], ['impersonation', true])
      const { data } = await window.call('authenticateByUrl', sessionMinutes)
      const [factor] = data.session.authentication_factors
      assert.equal(factor.impersonated_factor.impersonator_email_address, 'operator@lapwing.test')
      assert.equal((await window.sync('user.getSync')).emails[0].email, email)
      const refused = await window.fail('totps.create', { expiration_minutes: 60 })
      assert.deepEqual([refused.error_type, refused.status_code], ['unauthorized_action', 403])
      await window.untilSignedIn(true)
      const token = { impersonation_token: new URL(link).searchParams.get('token') }
      const again = await window.fail('impersonation.authenticate', token)
      assert.equal(again.error_type, 'unable_to_auth_impersonation_token')
    } finally {
      await elsewhere.close()
    }
    assert.match((await accounts.mailTo(email)).subject, /^An operator opened/)
  })

  flow('opens a session with the access token of an app that may act as the person, once', async visitor => {
    const window = await visitor.open()
    const { user_id } = await visitor.signUp(window)
    const redirect_uri = 'https://app.example/back'
    const scopes = ['openid', 'full_access']
    const client_id = await accounts.registerApp({ redirect: redirect_uri, scopes })
    const { authorization_code } = await window.call('idp.oauthAuthorizeSubmit', {
      client_id,
      redirect_uri,
      response_type: 'code',
      scopes,
      code_challenge: createHash('sha256').update(appVerifier).digest('base64url'),
      consent_granted: true,
    })
    const access_token = await tokenOfApp({ client_id, redirect_uri }, authorization_code)
    await window.call('session.revoke')
    await window.untilSignedIn(false)
    const opened = await window.call('session.exchangeAccessToken', { access_token, ...sessionMinutes })
    assert.equal(opened.user_id, user_id)
    await window.untilSignedIn(true)
    const again = await window.fail('session.exchangeAccessToken', { access_token, ...sessionMinutes })
    assert.equal(again.error_type, 'oauth_access_token_exchange_token_invalid_grant')
  })

  flow('refuses to exchange what is no access token of an app', async ({ open, signUp }) => {
    const window = await open()
    await signUp(window)
    const error = await window.fail('session.exchangeAccessToken', { access_token: 'a', ...sessionMinutes })
    assert.deepEqual(
      [error.name, error.error_type],
      ['StytchAPIError', 'oauth_access_token_exchange_token_invalid_grant'],
    )
    await window.untilSignedIn(true)
  })

  flow('returns the strength of a password as the client shows it', async ({ open, email }) => {
    const window = await open()
    const weak = await window.call('passwords.strengthCheck', { email, password: 'password' })
    assert.deepEqual([weak.valid_password, weak.strength_policy], [false, 'zxcvbn'])
    assert.ok(weak.feedback.warning !== '' || weak.feedback.suggestions.length > 0)
    const strong = await window.call('passwords.strengthCheck', { email, password: goodPassword })
    assert.equal(strong.valid_password, true)
    assert.ok(strong.score >= 3)
  })

  flow(
    'reads a person, keeps them up to date, and changes only what a page may',
    async ({ open, signUp, email }) => {
      const window = await open()
      const { user_id } = await signUp(window)
      const me = await window.call('user.get')
      assert.deepEqual([me.user_id, me.emails[0].email, me.roles], [user_id, email, ['driver']])
      await window.call('user.update', {
        name: { first_name: 'Ada' },
        untrusted_metadata: { units: 'metric' },
      })
      const changed = await window.sync('user.getSync')
      assert.deepEqual(changed.untrusted_metadata, { units: 'metric' })
      assert.equal(changed.name.first_name, 'Ada')
      assert.deepEqual((await window.call('user.get')).untrusted_metadata, { units: 'metric' })
      const error = await window.fail('user.update', { trusted_metadata: { consent: { marketing: true } } })
      assert.deepEqual([error.error_type, error.status_code], ['cannot_update_trusted_metadata', 401])
    },
  )

  flow('removes a way to sign in, but never the last one', async ({ open, email }) => {
    const window = await open()
    const token = await goThrough(window, 'google', email)
    const { user } = await window.call('oauth.authenticate', token, sessionMinutes)
    await window.call('user.deleteOAuthRegistration', user.providers[0].oauth_user_registration_id)
    const left = await window.sync('user.getSync')
    assert.deepEqual(left.providers, [])
    assert.equal(left.emails.length, 1)
    const last = await window.fail('user.deleteEmail', left.emails[0].email_id)
    assert.equal(last.error_type, 'cannot_delete_last_factor')
    const unknown = await window.fail('user.deleteOAuthRegistration', 'oauth-user-test-none')
    assert.deepEqual([unknown.error_type, unknown.status_code], ['factor_not_found', 404])
    assert.equal((await window.call('user.get')).emails.length, 1)
  })

  flow('answers the client’s own search with how an address signs in', async ({ open, signUp, email }) => {
    const window = await open()
    const search = (address: string) =>
      window.page.evaluate(async address => {
        // biome-ignore lint/suspicious/noExplicitAny: the part of the client that its widget uses.
        const client = (window as any).client
        const internals = Object.getOwnPropertySymbols(client)
          .map(symbol => client[symbol])
          .find(value => value?.searchManager !== undefined)
        return await internals.searchManager.searchUser(address)
      }, address)
    assert.equal((await search(email)).userType, 'new')
    await signUp(window)
    assert.equal((await search(email)).userType, 'password')
    const social = `social.${email}`
    const other = await open()
    await other.call('session.revoke')
    await other.call('oauth.authenticate', await goThrough(other, 'discord', social), sessionMinutes)
    assert.equal((await search(social)).userType, 'passwordless')
  })

  flow('answers the client’s own search for a member of an organization', async ({ open, signUp, email }) => {
    const policy = ['--domain', `${version}.lapwing.test`, '--method', 'passwords']
    const said = await accounts.operatorCommand('organizations.ts', 'save', '--name', 'Racing', ...policy)
    const organization = /has the id (\S+)/.exec(said)![1]!
    const member = email.replace('@', `@${version}.`)
    const window = await open()
    const search = () =>
      window.page.evaluate(
        async ([member, organization]) => {
          // biome-ignore lint/suspicious/noExplicitAny: the part of the client that its widget uses.
          const client = (window as any).client
          const internals = Object.getOwnPropertySymbols(client)
            .map(symbol => client[symbol])
            .find(value => value?.searchManager !== undefined)
          return await internals.searchManager.searchMember(member, organization)
        },
        [member, organization],
      )
    assert.equal((await search()).member, null)
    await signUp(window, member)
    await proveAddress(window, member)
    const { session_token } = await window.sync('session.getTokens')
    const joined = await fetch(`${accounts.identityUrl}/sdk/v1/organizations/${organization}/join`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${publicToken}:${session_token}`)}` },
    })
    assert.equal(joined.status, 200, await joined.text())
    const { password } = await window.call('user.get')
    assert.deepEqual((await search()).member, {
      status: 'active',
      name: '',
      member_password_id: password.password_id,
    })
  })

  flow(
    'provides roles and permissions with bootstrap, and immediately after a reload',
    async ({ open, signUp }) => {
      const window = await open()
      assert.equal(await window.call('rbac.isAuthorized', 'leaderboard', 'read'), false)
      await signUp(window)
      assert.equal(await window.call('rbac.isAuthorized', 'leaderboard', 'read'), true)
      assert.equal(await window.call('rbac.isAuthorized', 'leaderboard', 'moderate'), false)
      const permissions = await window.call('rbac.allPermissions')
      assert.equal(permissions.lap.submit, true)
      assert.equal(permissions.lap.remove, false)
      await window.page.reload()
      assert.equal(await window.sync('rbac.isAuthorizedSync', 'lap', 'submit'), true)
    },
  )

  flow('connects an app with the client’s own calls, lists it and revokes it', async ({ open, signUp }) => {
    const window = await open()
    const { user_id } = await signUp(window)
    const clientId = await anApp()
    const request = {
      client_id: clientId,
      redirect_uri: 'https://app.example/back',
      response_type: 'code',
      scopes: ['openid', 'email'],
    }
    const started = await window.call('idp.oauthAuthorizeStart', request)
    assert.deepEqual(
      [started.user_id, started.client.client_id, started.client.client_type, started.consent_required],
      [user_id, clientId, 'third_party_public', true],
    )
    assert.deepEqual(
      started.scope_results.map(({ scope, is_grantable }: Json) => [scope, is_grantable]),
      [
        ['openid', true],
        ['email', true],
      ],
    )
    const { redirect_uri, authorization_code } = await window.call('idp.oauthAuthorizeSubmit', {
      ...request,
      state: 'a state',
      nonce: 'a nonce',
      code_challenge: createHash('sha256').update(appVerifier).digest('base64url'),
      consent_granted: true,
    })
    const back = new URL(redirect_uri).searchParams
    assert.deepEqual([back.get('code'), back.get('state')], [authorization_code, 'a state'])
    const access_token = await tokenOfApp(request, authorization_code)
    const userinfo = () =>
      fetch(`${accounts.identityUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${access_token}` },
      })
    assert.equal((await userinfo()).status, 200)
    const { connected_apps } = await window.call('user.getConnectedApps')
    assert.deepEqual(
      connected_apps.map((app: Json) => [app.connected_app_id, app.scopes_granted]),
      [[clientId, 'openid email']],
    )
    await window.call('user.revokedConnectedApp', clientId)
    assert.equal((await userinfo()).status, 401)
    assert.deepEqual((await window.call('user.getConnectedApps')).connected_apps, [])
  })

  flow('starts a sign-out that an app asks for', async ({ open, signUp }) => {
    const window = await open()
    await signUp(window)
    const clientId = await anApp()
    const started = await window.call('idp.oauthLogoutStart', {
      client_id: clientId,
      post_logout_redirect_uri: 'https://app.example/back',
      state: 'bye',
    })
    assert.deepEqual(
      [started.redirect_uri, started.consent_required],
      ['https://app.example/back?state=bye', true],
    )
    await window.call('session.revoke')
    await window.untilSignedIn(false)
  })

  flow('accepts the client’s events', async ({ open }) => {
    const window = await open()
    await until(() => window.sent('/events').length > 0, 'the client sent its events')
    const { body, status } = window.sent('/events')[0]!
    assert.equal(body[0].event.event_name, 'sdk_instance_instantiated')
    assert.equal(await status(), 200)
  })

  /** Calls identity with a session's token, from outside the browser. */
  async function asStranger(path: string, sessionToken: string): Promise<{ readonly error_type?: string }> {
    const answer = await fetch(`${accounts.identityUrl}/sdk/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${publicToken}:${sessionToken}`)}`,
        'content-type': 'application/json',
      },
    })
    return (await answer.json()) as { error_type?: string }
  }

  async function startProvider(window: ClientWindow, provider: string, more: object = {}): Promise<void> {
    const back = `${page.origin}/authenticate`
    // The page navigates away before the call can return.
    await window.page
      .evaluate(
        ({ provider, back, more }) => {
          // biome-ignore lint/suspicious/noExplicitAny: the client, as the page made it.
          const start = (window as any).client.oauth[provider].start
          void start({ login_redirect_url: back, signup_redirect_url: back, ...more })
        },
        { provider, back, more },
      )
      .catch(() => {})
    await window.page.getByRole('button', { name: 'Continue' }).waitFor()
  }

  /** Signs in at a provider, from the page's button to the token on the page. */
  async function goThrough(
    window: ClientWindow,
    provider: string,
    email: string,
    more?: object,
  ): Promise<string> {
    await startProvider(window, provider, more)
    await window.page.getByLabel('Email').fill(email)
    await window.page.getByRole('button', { name: 'Continue' }).click()
    await window.page.waitForURL(`${page.origin}/authenticate**`)
    const { searchParams } = new URL(window.page.url())
    assert.equal(searchParams.get('stytch_token_type'), 'oauth', window.page.url())
    return searchParams.get('token')!
  }
}

/** Advances the page's clock in steps until the condition is true. */
async function advanceUntil(window: ClientWindow, isSo: () => boolean): Promise<void> {
  await until(async () => {
    if (!isSo()) await window.page.clock.fastForward(1_000)
    return isSo()
  }, 'the client tried again')
}
