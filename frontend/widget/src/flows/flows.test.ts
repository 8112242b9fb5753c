import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authenticated } from '@lapwing/identity-client/contract'
import { ApiError, UnreachableError } from '@lapwing/identity-client/errors'
import { safeStorage } from '../../../src/shared/storage/safe-storage.ts'
import { memoryStore } from '../../../src/testing/memory-store.ts'
import { type ConfigInput, readConfig } from '../config/config.ts'
import { ERROR_TYPES } from '../texts/error-sentence.ts'
import { createFlows, type FlowDeps, type WidgetEvent } from './flows.ts'

const email = 'ada@lapwing.test'

/** Returns the answer of a sign-in. */
function signedIn(more: { totps?: object[]; factors?: object[]; passkeys?: object[] } = {}): Authenticated {
  return {
    user: { totps: more.totps ?? [], phone_numbers: [], webauthn_registrations: more.passkeys ?? [] },
    session: { authentication_factors: more.factors ?? [], expires_at: '2030-01-01T00:00:00Z' },
    session_token: 'opaque',
    session_jwt: 'signed',
    __user: { secret: 'of the client' },
  } as unknown as Authenticated
}

const bootstrap = {
  pkce_required_for_oauth: true,
  pkce_required_for_email_magic_links: false,
  pkce_required_for_password_resets: false,
  siwe_required_for_crypto_wallets: true,
  wallet_types: ['ethereum', 'solana'],
}

/** A new S256 challenge, which each round trip has. */
const CHALLENGE = /^[\w-]{43}$/

interface Sent {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string | null | undefined
}

type Answers = Readonly<Record<string, () => unknown>>

/** Creates flows over calls that answer as given. Other calls fail the test. */
function flowsWith(config: ConfigInput, answers: Answers, more: Partial<FlowDeps> & { href?: string } = {}) {
  const sent: Sent[] = []
  const events: WidgetEvent[] = []
  const errors: Error[] = []
  const used: string[] = []
  const left: string[] = []
  let href = more.href ?? 'https://racing.test/login?from=menu'
  let cookie: string | null = null
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage
  const checked = readConfig(config)
  const pairs = memoryStore()
  for (const namespace of ['oauth', 'passwords', 'magic_links']) {
    const pair = { codeVerifier: 'verifier', codeChallenge: 'challenge' }
    pairs.set(`lapwing.pkce.${namespace}`, JSON.stringify(pair))
  }
  const flows = createFlows({
    client: {
      async call(_method, path, body, token) {
        if (path.startsWith('/projects/bootstrap/')) return bootstrap as never
        sent.push({ path, body: { ...body }, token })
        const answer = answers[path]
        if (answer === undefined) throw new Error(`unexpected call of ${path}`)
        return (await answer()) as never
      },
      config: async () => ({
        baseUrl: 'https://id.lapwing.test',
        publicToken: 'public-token-live-lapwing',
      }),
      headers: async () => ({}),
      async sendEvents() {},
      pageOrigin: 'https://racing.test',
      store: pairs,
      sessionMinutes: checked.sessionMinutes,
      hasSession: () => cookie !== null,
      warn: sentence => assert.fail(sentence),
    },
    cookies: {
      token: () => cookie,
      store: ({ token }) => {
        cookie = token
      },
      clear: () => {
        cookie = null
      },
    },
    queue: { add: name => used.push(name), flush() {} },
    windowStore: safeStorage(() => storage),
    config: () => checked,
    page: {
      origin: 'https://racing.test',
      href: () => href,
      replaceAddress(next) {
        href = next
      },
      leaveFor: address => left.push(address),
    },
    passkeys: {
      isSupported: () => true,
      canAutofill: async () => false,
      create: async options => `created from ${options}`,
      get: async options => `signed ${options}`,
      cancel() {},
    },
    findWallet: () => null,
    notifyEvent: event => events.push(event),
    notifyError: error => errors.push(error),
    now: () => 1_000,
    ...more,
  })
  return {
    flows,
    sent,
    events,
    errors,
    used,
    left,
    href: () => href,
    stored,
    cookie: () => cookie,
    setCookie: (token: string) => {
      cookie = token
    },
    screen: () => flows.state.get().screen,
    types: () => events.map(({ type }) => type),
  }
}

const refuse = (type: string) => () => {
  throw new ApiError(400, { error_type: type, error_message: 'of the server' })
}

describe('codes and links', () => {
  test('a code by mail is asked for and checked, and the page hears of it', async () => {
    const page = flowsWith(
      { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 2, locale: 'de' } },
      {
        '/otps/email/login_or_create': () => ({ method_id: 'email-1' }),
        '/otps/authenticate': () => signedIn(),
      },
    )
    await page.flows.sendCode(email)
    assert.equal(page.screen(), 'OTPAuthenticate')
    assert.deepEqual(page.flows.state.get().otp, {
      type: 'email',
      methodId: 'email-1',
      destination: email,
      expiresAtMs: 121_000,
    })
    assert.deepEqual(page.used, ['email_sent'])
    await page.flows.checkCode('123456')
    assert.equal(page.screen(), 'OTPConfirmation')
    assert.equal(page.cookie(), 'opaque')
    assert.deepEqual(page.types(), ['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE'])
    assert.equal('__user' in page.events[1]!.data, false)
    assert.deepEqual(
      page.sent.map(({ body }) => JSON.parse(JSON.stringify(body))),
      [
        { email, expiration_minutes: 2, locale: 'de' },
        { token: '123456', method_id: 'email-1', session_duration_minutes: 30 },
      ],
    )
  })

  test('a text goes to the number in international format', async () => {
    const page = flowsWith(
      { products: ['otp'], otpOptions: { methods: ['sms'] } },
      { '/otps/sms/login_or_create': () => ({ method_id: 'phone-1' }) },
    )
    await page.flows.sendText('sms', async () => ({ isValid: true, number: '+12025550143' }))
    assert.equal(page.flows.state.get().otp.destination, '+12025550143')
    assert.equal(page.sent[0]!.body.phone_number, '+12025550143')
    assert.deepEqual(page.used, [])
  })

  test('a magic link stores the address, then logs that it was sent', async () => {
    const page = flowsWith(
      { emailMagicLinksOptions: { loginRedirectURL: 'https://racing.test/in' } },
      { '/magic_links/email/login_or_create': () => ({ request_id: 'r' }) },
    )
    await page.flows.sendLink(email)
    assert.equal(page.screen(), 'EmailConfirmation')
    assert.equal(page.flows.state.get().email, email)
    assert.deepEqual(page.used, ['email_try_again_clicked'])
    assert.deepEqual(page.events, [{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { request_id: 'r', email } }])
    const { login_magic_link_url: url, login_expiration_minutes: minutes } = page.sent[0]!.body
    assert.deepEqual([url, minutes], ['https://racing.test/in', 30])
    assert.equal('create_user_as_pending' in page.sent[0]!.body, false)
    assert.equal(await page.flows.resend(), true)
    assert.equal(page.sent.length, 2)
  })

  for (const type of ERROR_TYPES) {
    test(`${type} stops the spinner and is shown on the same screen`, async () => {
      const page = flowsWith(
        { products: ['otp'], otpOptions: { methods: ['email'] } },
        { '/otps/email/login_or_create': refuse(type) },
      )
      await page.flows.sendCode(email)
      const { screen, isPending, error } = page.flows.state.get()
      assert.deepEqual(
        { screen, isPending, error },
        {
          screen: 'Main',
          isPending: false,
          error: { type, message: 'of the server' },
        },
      )
      assert.equal(page.errors[0]!.name, 'ApiError')
    })
  }

  test('an unreachable server has a sentence of its own', async () => {
    const page = flowsWith(
      {},
      { '/magic_links/email/login_or_create': () => Promise.reject(new UnreachableError(null)) },
    )
    await page.flows.sendLink(email)
    assert.equal(page.flows.state.get().error!.type, 'error.unreachable')
    assert.equal(page.errors[0]!.message, 'Unable to contact our servers.')
  })

  test('a second press while one is pending sends nothing', async () => {
    const page = flowsWith({}, { '/magic_links/email/login_or_create': () => ({}) })
    await Promise.all([page.flows.sendLink(email), page.flows.sendLink(email)])
    assert.equal(page.sent.length, 1)
  })

  test('the screen waits while a number is read, and a wrong one sends nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<{ isValid: boolean; number: string }>()
    const page = flowsWith({ products: ['otp'], otpOptions: { methods: ['sms'] } }, {})
    const sending = page.flows.sendText('sms', () => promise)
    assert.equal(page.flows.state.get().isPending, true)
    resolve({ isValid: false, number: '' })
    await sending
    const { isPending, error } = page.flows.state.get()
    assert.deepEqual([isPending, error?.type], [false, 'invalid_phone_number'])
    assert.deepEqual([page.sent, page.errors], [[], []])
  })

  test('an answer after the way back changes nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const page = flowsWith({}, { '/magic_links/email/login_or_create': () => promise })
    const sending = page.flows.sendLink(email)
    page.flows.back()
    resolve({})
    await sending
    assert.equal(page.screen(), 'Main')
    assert.equal(page.flows.state.get().isPending, false)
  })
})

describe('passwords', () => {
  const products = { products: ['passwords'] } as const

  test('a search decides between creating an account and logging in', async () => {
    for (const userType of ['new', 'password'] as const) {
      const page = flowsWith(products, { '/users/search': () => ({ userType }) })
      await page.flows.searchUser(email)
      assert.equal(page.screen(), 'PasswordCreateOrLogin')
      assert.deepEqual(page.flows.state.get().password, { email, type: userType })
    }
  })

  test('an account without a password gets a link, a code, or a mail to set one', async () => {
    const search = { '/users/search': () => ({ userType: 'passwordless' }) }
    const link = flowsWith(
      { products: ['passwords', 'emailMagicLinks'] },
      { ...search, '/magic_links/email/login_or_create': () => ({}) },
    )
    const code = flowsWith(
      { products: ['passwords', 'otp'], otpOptions: { methods: ['email'] } },
      { ...search, '/otps/email/login_or_create': () => ({ method_id: 'email-1' }) },
    )
    const reset = flowsWith(products, { ...search, '/passwords/email/reset/start': () => ({}) })
    for (const page of [link, code, reset]) await page.flows.searchUser(email)
    assert.deepEqual(
      [link, code, reset].map(page => page.screen()),
      ['EmailConfirmation', 'OTPAuthenticate', 'PasswordSetNew'],
    )
    for (const page of [link, code]) assert.equal(page.flows.state.get().password.type, 'passwordless')
  })

  test('a new password and a known one sign in', async () => {
    const page = flowsWith(products, {
      '/users/search': () => ({ userType: 'new' }),
      '/passwords': () => signedIn(),
    })
    await page.flows.searchUser(email)
    await page.flows.createPassword('four wet tyres')
    assert.equal(page.screen(), 'PasswordConfirmation')
    assert.deepEqual(page.sent[1]!.body, { email, password: 'four wet tyres', session_duration_minutes: 30 })
    assert.deepEqual(page.types(), ['PASSWORD_CREATE', 'AUTHENTICATE_FLOW_COMPLETE'])
  })

  for (const [type, screen] of [
    ['reset_password', 'PasswordDedupe'],
    ['breached_password', 'PasswordBreached'],
  ] as const) {
    test(`${type} mails a reset and shows ${screen}`, async () => {
      const page = flowsWith(products, {
        '/users/search': () => ({ userType: 'password' }),
        '/passwords/authenticate': refuse(type),
        '/passwords/email/reset/start': () => ({}),
      })
      await page.flows.searchUser(email)
      await page.flows.logIn(email, 'secret')
      assert.equal(page.screen(), screen)
      assert.deepEqual(page.types(), ['PASSWORD_RESET_BY_EMAIL_START'])
      assert.equal(await page.flows.resend(), true)
      assert.equal(page.screen(), screen)
    })
  }
})

describe('a link in the address of the page', () => {
  test('signs in, and leaves the address without its token', async () => {
    const page = flowsWith(
      {},
      { '/magic_links/authenticate': () => signedIn() },
      { href: 'https://racing.test/in?from=menu&stytch_token_type=magic_links&token=abc#top' },
    )
    await page.flows.start()
    assert.equal(page.screen(), 'LoggedIn')
    assert.equal(page.href(), 'https://racing.test/in?from=menu#top')
    assert.deepEqual(page.sent[0]!.body, {
      token: 'abc',
      session_duration_minutes: 30,
      code_verifier: 'verifier',
    })
  })

  test('to reset a password asks for a new one', async () => {
    const href = 'https://racing.test/in?stytch_token_type=reset_password&token=abc'
    const page = flowsWith({}, { '/passwords/email/reset': () => signedIn() }, { href })
    await page.flows.start()
    assert.equal(page.screen(), 'PasswordResetForm')
    await page.flows.resetPassword('four wet tyres')
    assert.equal(page.screen(), 'PasswordSetNewConfirmation')
  })

  test('that was used shows Error with the sentence', async () => {
    const href = 'https://racing.test/in?stytch_token_type=magic_links&token=abc'
    const page = flowsWith({}, { '/magic_links/authenticate': refuse('unable_to_auth_magic_link') }, { href })
    await page.flows.start()
    assert.equal(page.screen(), 'Error')
    assert.equal(page.flows.state.get().error!.type, 'unable_to_auth_magic_link')
  })

  test('of a failed provider shows its sentence, at most 200 characters', async () => {
    const href = `https://racing.test/in?error_type=oauth_flow_callback_error&error_message=${'x'.repeat(300)}`
    const page = flowsWith({}, {}, { href })
    await page.flows.start()
    assert.equal(page.screen(), 'Error')
    assert.equal(page.flows.state.get().error!.message.length, 200)
    assert.equal(page.href(), 'https://racing.test/in')
  })

  test('with other parameters of the page is none', async () => {
    for (const query of ['?token=abc', '?stytch_token_type=other&token=abc', '?error_type=page']) {
      const page = flowsWith({}, {}, { href: `https://racing.test/in${query}` })
      await page.flows.start()
      assert.equal(page.screen(), 'Main')
      assert.equal(page.href(), `https://racing.test/in${query}`)
    }
  })
})

describe('a session of the page', () => {
  test('is continued', async () => {
    const page = flowsWith({}, { '/sessions/authenticate': () => signedIn() })
    page.setCookie('stored')
    await page.flows.start()
    assert.equal(page.screen(), 'LoggedIn')
  })

  test('that is over is forgotten, and one that cannot be confirmed stays', async () => {
    const over = flowsWith({}, { '/sessions/authenticate': refuse('session_not_found') })
    const unknown = flowsWith({}, { '/sessions/authenticate': refuse('too_many_requests') })
    for (const page of [over, unknown]) {
      page.setCookie('stored')
      await page.flows.start()
      assert.equal(page.screen(), 'Main')
    }
    assert.deepEqual([over.cookie(), unknown.cookie()], [null, 'stored'])
  })

  test('ends with the way out', async () => {
    const page = flowsWith({}, { '/sessions/authenticate': () => signedIn(), '/sessions/revoke': () => ({}) })
    page.setCookie('stored')
    await page.flows.start()
    await page.flows.logOut()
    assert.equal(page.screen(), 'Main')
    assert.equal(page.cookie(), null)
  })
})

describe('after a sign-in', () => {
  const app = { totps: [{ verified: true }] }
  const codes = { '/otps/email/login_or_create': () => ({ method_id: 'email-1' }) }
  const byCode = { products: ['otp'], otpOptions: { methods: ['email'] } } as const
  const enter = async ({ flows }: ReturnType<typeof flowsWith>) => {
    await flows.sendCode(email)
    await flows.checkCode('123456')
  }

  test('an account with an app is asked for it, and only then is the session stored', async () => {
    const page = flowsWith(byCode, {
      ...codes,
      '/otps/authenticate': () => signedIn(app),
      '/totps/recover': () => signedIn({ ...app, factors: [{ type: 'recovery_codes' }] }),
    })
    await enter(page)
    assert.equal(page.screen(), 'TOTPEntry')
    assert.equal(page.cookie(), null)
    page.flows.dispatch({ type: 'recoveryWanted' })
    await page.flows.enterRecoveryCode('abcd-efgh-ijkl')
    assert.equal(page.screen(), 'LoggedIn')
    assert.equal(page.cookie(), 'opaque')
    assert.equal(page.sent.at(-1)!.token, 'opaque')
    assert.equal(page.types().at(-1), 'AUTHENTICATE_FLOW_COMPLETE')
  })

  test('a second factor is offered if the page wants it and the account has none', async () => {
    const page = flowsWith(
      { ...byCode, mfaOptions: { methods: ['totp'] } },
      {
        ...codes,
        '/otps/authenticate': () => signedIn(),
        '/totps': () => ({ secret: 's', qr_code: 'data:image/png;base64,', recovery_codes: ['a'] }),
        '/totps/authenticate': () => signedIn(app),
      },
    )
    await enter(page)
    assert.equal(page.screen(), 'MFAEnrollmentSelection')
    await page.flows.createApp()
    assert.equal(page.screen(), 'TOTPEnrollmentQRCode')
    await page.flows.confirmApp('123456')
    assert.equal(page.screen(), 'RecoveryCodeSave')
    assert.deepEqual(page.flows.state.get().totp!.recoveryCodes, ['a'])
  })

  describe('where everybody needs a second factor', () => {
    /** Returns an answer whose token is for the second step alone. */
    const half = (more: Parameters<typeof signedIn>[0] = {}) => ({
      ...signedIn(more),
      session_token: 'half',
      session_jwt: `e.${btoa(JSON.stringify({ aud: ['project/second-factor'] }))}.s`,
    })

    test('an account without one sets up an app, and the page hears of it once the codes are saved', async () => {
      const page = flowsWith(byCode, {
        ...codes,
        '/otps/authenticate': () => half(),
        '/totps': () => ({ secret: 's', qr_code: 'data:image/png;base64,', recovery_codes: ['a'] }),
        '/totps/authenticate': () => signedIn({ ...app, factors: [{ type: 'totp' }] }),
      })
      await enter(page)
      assert.equal(page.screen(), 'MFAEnrollmentSelection')
      assert.equal(page.flows.state.get().demanded, 'app')
      await page.flows.createApp()
      assert.equal(page.cookie(), null)
      await page.flows.confirmApp('123456')
      assert.deepEqual(
        page.sent.slice(-2).map(({ token }) => token),
        ['half', 'half'],
      )
      assert.equal(page.screen(), 'RecoveryCodeSave')
      assert.equal(page.cookie(), 'opaque')
      assert.equal(page.types().at(-1), 'OTP_AUTHENTICATE')
      await page.flows.leaveCodes()
      assert.equal(page.screen(), 'LoggedIn')
      assert.equal(page.flows.state.get().totp, null)
      assert.equal(page.types().at(-1), 'AUTHENTICATE_FLOW_COMPLETE')
    })

    test('an account that has a passkey uses it, in the same session', async () => {
      const passkeys = [{ verified: true, domain: 'elsewhere.test' }]
      const page = flowsWith(byCode, {
        ...codes,
        '/otps/authenticate': () => half({ passkeys }),
        '/webauthn/authenticate/start/primary': () => ({ public_key_credential_request_options: '{}' }),
        '/webauthn/authenticate': () => signedIn({ passkeys, factors: [{ type: 'webauthn' }] }),
      })
      await enter(page)
      assert.equal(page.flows.state.get().demanded, 'passkey')
      await page.flows.logInWithPasskey()
      assert.equal(page.sent.at(-1)!.token, 'half')
      assert.equal(page.screen(), 'PasskeyConfirmation')
      assert.equal(page.cookie(), 'opaque')
    })

    test('the way back ends the sign-in', async () => {
      const page = flowsWith(byCode, { ...codes, '/otps/authenticate': () => half() })
      await enter(page)
      page.flows.back()
      assert.equal(page.screen(), 'Main')
      assert.equal(page.flows.state.get().demanded, null)
      await enter(page)
      assert.equal(page.sent.at(-1)!.token, undefined)
    })
  })

  test('a passkey is offered if the page has passkeys and the account none of its domain', async () => {
    const passkeys = { ...byCode, products: ['otp', 'passkeys'] } as const
    const register = {
      '/webauthn/register/start': () => ({ public_key_credential_creation_options: '{}' }),
      '/webauthn/register': () => ({ ...signedIn(), webauthn_registration_id: 'webauthn-1' }),
    }
    const without = flowsWith(passkeys, { ...codes, ...register, '/otps/authenticate': () => signedIn() })
    await enter(without)
    assert.equal(without.screen(), 'RegisterNewPasskey')
    await without.flows.registerPasskey()
    assert.equal(without.screen(), 'PasskeyRegistrationSuccess')
    without.flows.leavePasskeys()
    assert.equal(without.screen(), 'LoggedIn')
    assert.equal(without.types().at(-1), 'PASSKEY_DONE')

    const own = [{ verified: true, domain: 'racing.test' }]
    const withOne = flowsWith(passkeys, { ...codes, '/otps/authenticate': () => signedIn({ passkeys: own }) })
    await enter(withOne)
    assert.equal(withOne.screen(), 'OTPConfirmation')
  })
})

describe('other ways in', () => {
  test('a provider is opened with the challenge of this browser', async () => {
    const page = flowsWith({ products: ['oauth'], oauthOptions: { providers: ['google'] } }, {})
    await page.flows.startOAuth('google')
    const url = new URL(page.left[0]!)
    assert.equal(url.pathname, '/v1/public/oauth/google/start')
    const { code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    assert.match(code_challenge!, CHALLENGE)
    assert.deepEqual(rest, { public_token: 'public-token-live-lapwing' })
  })

  test('a passkey signs in', async () => {
    const page = flowsWith(
      { products: ['emailMagicLinks', 'passkeys'] },
      {
        '/webauthn/authenticate/start/primary': () => ({ public_key_credential_request_options: 'options' }),
        '/webauthn/authenticate': () => signedIn({ passkeys: [{ verified: true, domain: 'racing.test' }] }),
      },
    )
    await page.flows.logInWithPasskey()
    assert.equal(page.screen(), 'PasskeyConfirmation')
    assert.equal(page.sent[1]!.body.public_key_credential, 'signed options')
  })

  const crypto = { products: ['crypto'] } as const
  const wallet = {
    id: 'w',
    name: 'Metamask',
    type: 'ethereum',
    connect: async () => '0xa',
    sign: async () => '0xsigned',
  } as const

  test('a wallet connects and signs', async () => {
    const page = flowsWith(
      crypto,
      {
        '/crypto_wallets/authenticate/start/primary': () => ({ challenge: 'Sign this' }),
        '/crypto_wallets/authenticate': () => signedIn(),
      },
      { findWallet: () => wallet },
    )
    await page.flows.connectWallet('Metamask')
    assert.equal(page.screen(), 'CryptoConfirmation')
    assert.deepEqual(page.sent[0]!.body.siwe_params, { uri: 'https://racing.test' })
    assert.equal(page.sent[1]!.body.signature, '0xsigned')
  })

  test('a wallet that refuses shows its error, and a missing one how to get it', async () => {
    const refusing = flowsWith(
      crypto,
      {},
      { findWallet: () => ({ ...wallet, connect: () => Promise.reject(new Error('no')) }) },
    )
    await refusing.flows.connectWallet('Metamask')
    assert.equal(refusing.screen(), 'CryptoError')
    const missing = flowsWith(crypto, {})
    await missing.flows.connectWallet('Phantom')
    assert.equal(missing.screen(), 'CryptoSetupWallet')
  })
})

describe('a request of a connected app', () => {
  const href =
    'https://racing.test/connect?client_id=app-1&redirect_uri=https%3A%2F%2Fapp.test%2Fback&scope=openid'
  const started = (isRequired: boolean) => ({
    consent_required: isRequired,
    client: { client_name: 'Pit wall', client_description: 'Reads laps.' },
    user: { emails: [{ email, verified: true }] },
    scope_results: [
      { scope: 'openid', description: 'Know who you are', is_grantable: true },
      { scope: 'full_access', description: 'Everything', is_grantable: false },
    ],
  })
  const answersOf = (isRequired: boolean) => ({
    '/sessions/authenticate': () => signedIn(),
    '/idp/oauth/authorize/start': () => started(isRequired),
    '/idp/oauth/authorize/submit': () => ({ redirect_uri: 'https://app.test/back?code=1' }),
  })

  for (const isGranted of [true, false]) {
    test(`is shown, and ${isGranted ? 'allowed' : 'denied'}`, async () => {
      const page = flowsWith({ idp: true }, answersOf(true), { href })
      page.setCookie('opaque')
      await page.flows.start()
      assert.ok(page.flows.isAsked())
      await page.flows.askConsent()
      assert.equal(page.screen(), 'IDPConsent')
      assert.deepEqual(page.flows.state.get().consent, {
        appName: 'Pit wall',
        appDescription: 'Reads laps.',
        scopes: ['Know who you are'],
        canChange: false,
        email,
        place: 'app.test',
      })
      await page.flows.decideConsent(isGranted)
      assert.deepEqual(page.left, ['https://app.test/back?code=1'])
      assert.deepEqual(page.sent.at(-1)!.body, {
        client_id: 'app-1',
        redirect_uri: 'https://app.test/back',
        response_type: 'code',
        scopes: ['openid'],
        consent_granted: isGranted,
      })
      assert.deepEqual(page.types(), [
        'OAUTH_AUTHORIZE_FLOW_START',
        isGranted ? 'OAUTH_AUTHORIZE_FLOW_COMPLETE' : 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED',
      ])
      assert.equal(page.stored.size, 0)
    })
  }

  test('that the person agreed to before is answered without a question', async () => {
    const page = flowsWith({ idp: true }, answersOf(false), { href })
    page.setCookie('opaque')
    await page.flows.start()
    await page.flows.askConsent()
    assert.equal(page.screen(), 'LoggedIn')
    assert.deepEqual(page.left, ['https://app.test/back?code=1'])
  })

  test('is none if the page does not answer requests', async () => {
    const page = flowsWith({}, {}, { href })
    await page.flows.start()
    assert.equal(page.flows.isAsked(), false)
    assert.equal(page.stored.size, 0)
  })

  test('survives a visit to a provider, and is over with the next visit of the page', async () => {
    const token = 'https://racing.test/connect?stytch_token_type=oauth&token=t'
    const page = flowsWith({ idp: true }, { '/oauth/authenticate': () => signedIn() }, { href: token })
    page.stored.set('lapwing-login-consent', 'client_id=app-1&redirect_uri=b')
    await page.flows.start()
    assert.equal(page.screen(), 'LoggedIn')
    assert.ok(page.flows.isAsked())

    const later = flowsWith({ idp: true }, {})
    later.stored.set('lapwing-login-consent', 'client_id=app-1&redirect_uri=b')
    await later.flows.start()
    assert.equal(later.flows.isAsked(), false)
  })
})

describe('a sign-out that an app asks for', () => {
  const href = 'https://racing.test/?client_id=app-1&post_logout_redirect_uri=https%3A%2F%2Fapp.test%2Fbye'
  const answersOf = (isRequired: boolean) => ({
    '/oauth/logout/start': () => ({ redirect_uri: 'https://app.test/bye', consent_required: isRequired }),
    '/sessions/revoke': () => ({}),
  })

  test('is asked about, and done', async () => {
    const page = flowsWith({ idp: true }, answersOf(true), { href })
    page.setCookie('opaque')
    await page.flows.start()
    assert.equal(page.screen(), 'IDPConsent')
    assert.deepEqual(page.flows.state.get().logout, { address: 'https://app.test/bye', place: 'app.test' })
    assert.equal(page.cookie(), 'opaque')
    await page.flows.logOutForApp()
    assert.equal(page.cookie(), null)
    assert.deepEqual(page.left, ['https://app.test/bye'])
  })

  for (const [what, isRequired, cookie] of [
    ['if the app proves that it means this person', false, 'opaque'],
    ['without a session', true, null],
  ] as const) {
    test(`needs no question ${what}`, async () => {
      const page = flowsWith({ idp: true }, answersOf(isRequired), { href })
      if (cookie !== null) page.setCookie(cookie)
      await page.flows.start()
      assert.deepEqual(page.left, ['https://app.test/bye'])
      assert.equal(page.cookie(), null)
    })
  }

  test('to an unknown address shows Error, and the session stays', async () => {
    const page = flowsWith(
      { idp: true },
      { '/oauth/logout/start': refuse('no_match_for_provided_oauth_url') },
      { href },
    )
    page.setCookie('opaque')
    await page.flows.start()
    assert.equal(page.screen(), 'Error')
    assert.equal(page.cookie(), 'opaque')
  })
})

describe('a page that lets the person choose between a link and a code', () => {
  const config = {
    products: ['emailMagicLinks', 'passwords'],
    emailMagicLinksOptions: { offersCode: true },
  } as const

  test('sends what was chosen', async () => {
    const page = flowsWith(config, {
      '/otps/email/login_or_create': () => ({ method_id: 'email-1' }),
      '/otps/authenticate': () => signedIn(),
    })
    page.flows.dispatch({ type: 'emailGiven', email })
    assert.equal(page.screen(), 'EmailMethodSelection')
    await page.flows.sendCode(email)
    assert.equal(page.screen(), 'EmailOTPEntry')
    assert.equal(await page.flows.resend(), true)
    assert.equal(page.screen(), 'EmailOTPEntry')
    await page.flows.checkCode('123456')
    assert.equal(page.screen(), 'OTPConfirmation')
  })

  test('asks an account without a password, too', async () => {
    const page = flowsWith(config, { '/users/search': () => ({ userType: 'passwordless' }) })
    page.flows.dispatch({ type: 'passwordWanted' })
    await page.flows.searchUser(email)
    assert.equal(page.screen(), 'EmailMethodSelection')
    assert.deepEqual(page.flows.state.get().password, { email, type: 'passwordless' })
  })
})

describe('organizations', () => {
  const club = (more: object = {}) => ({
    organization_id: 'organization-1',
    organization_name: 'Pit Club',
    allowed_auth_methods: ['sso'],
    sso_connections: [{ connection_id: 'sso-1', display_name: 'Head office' }],
    ...more,
  })
  const shown = {
    id: 'organization-1',
    name: 'Pit Club',
    methods: ['sso'],
    connections: [{ id: 'sso-1', name: 'Head office' }],
  }
  const people = () => ({ ...signedIn(), user: { ...signedIn().user, emails: [{ email, verified: true }] } })
  const wanted = { type: 'organizationWanted' } as const

  test('an address without one shows the fallback, and another address can follow', async () => {
    const page = flowsWith(
      { organizations: true },
      { '/organizations/discover': () => ({ organization: null }) },
    )
    page.flows.dispatch(wanted)
    await page.flows.discover(email)
    assert.equal(page.screen(), 'SSODiscoveryFallback')
    page.flows.dispatch(wanted)
    assert.equal(page.screen(), 'SSODiscoveryEmail')
  })

  test('one whose only way is its own sign-in opens it', async () => {
    const page = flowsWith(
      { organizations: true },
      { '/organizations/discover': () => ({ organization: club() }) },
    )
    page.flows.dispatch(wanted)
    await page.flows.discover(email)
    assert.equal(page.screen(), 'OrganizationDiscoveryClaimedDomain')
    const left = new URL(page.left[0]!)
    assert.equal(left.pathname, '/v1/public/sso/sso-1/start')
    assert.equal(left.searchParams.get('login_hint'), email)
    assert.match(left.searchParams.get('code_challenge')!, CHALLENGE)
  })

  test('one with other ways says whose the domain is, and lists them', async () => {
    const organization = club({ allowed_auth_methods: ['sso', 'emailOtp'] })
    const page = flowsWith(
      { organizations: true },
      {
        '/organizations/discover': () => ({ organization }),
        '/otps/email/login_or_create': () => ({ method_id: 'email-1' }),
        '/otps/authenticate': people,
        '/organizations/organization-1/join': () => ({ organization }),
      },
    )
    page.flows.dispatch(wanted)
    await page.flows.discover(email)
    assert.deepEqual(page.left, [])
    page.flows.dispatch({ type: 'organizationEntered', organization: page.flows.state.get().organization! })
    await page.flows.sendCode(email)
    assert.equal(page.screen(), 'EmailOTPEntry')
    await page.flows.checkCode('123456')
    assert.equal(page.screen(), 'OTPConfirmation')
    assert.equal(page.sent.at(-1)!.path, '/organizations/organization-1/join')
  })

  for (const [answer, screen] of [
    [() => ({ organization: club() }), 'LoggedIn'],
    [refuse('cannot_join_org_due_to_auth_policy'), 'CannotJoinOrgDueToAuthPolicy'],
  ] as const) {
    test(`a choice after a sign-in ends on ${screen}`, async () => {
      const page = flowsWith(
        { products: ['otp'], otpOptions: { methods: ['email'] }, organizations: true },
        {
          '/otps/email/login_or_create': () => ({ method_id: 'email-1' }),
          '/otps/authenticate': people,
          '/users/organizations': () => ({ organizations: [club()] }),
          '/organizations/discover': () => ({ organization: club() }),
          '/organizations/organization-1/join': answer,
        },
      )
      await page.flows.sendCode(email)
      await page.flows.checkCode('123456')
      assert.equal(page.screen(), 'Discovery')
      assert.deepEqual(page.flows.state.get().organizations, [shown])
      assert.equal(page.cookie(), 'opaque')
      await page.flows.join(shown)
      assert.equal(page.screen(), screen)
    })
  }

  test('a list that cannot be read does not stop a sign-in', async () => {
    const page = flowsWith(
      { organizations: true },
      {
        '/magic_links/authenticate': people,
        '/users/organizations': refuse('endpoint_not_authorized_for_sdk'),
        '/organizations/discover': refuse('endpoint_not_authorized_for_sdk'),
      },
      { href: 'https://racing.test/?stytch_token_type=magic_links&token=t' },
    )
    await page.flows.start()
    assert.equal(page.screen(), 'LoggedIn')
  })

  test('a page for one shows it, joins it, and says if there is none', async () => {
    const config = { organizationId: 'organization-1' }
    const page = flowsWith(config, { '/organizations/organization-1': () => ({ organization: club() }) })
    await page.flows.start()
    assert.equal(page.screen(), 'Organization')

    const returned = flowsWith(
      config,
      { '/sso/authenticate': () => ({ ...people(), organization: club() }) },
      { href: 'https://racing.test/?stytch_token_type=sso&token=t' },
    )
    await returned.flows.start()
    assert.equal(returned.screen(), 'LoggedIn')
    assert.deepEqual(
      returned.sent.map(({ path }) => path),
      ['/sso/authenticate'],
    )

    const nowhere = flowsWith(config, { '/organizations/organization-1': refuse('organization_not_found') })
    await nowhere.flows.start()
    assert.equal(nowhere.screen(), 'Error')
    assert.equal(nowhere.flows.state.get().error?.message, 'of the server')
  })
})
