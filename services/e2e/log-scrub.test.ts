import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newWallet } from '@lapwing/identity/test/wallets'
import { startTraceCollector, type TraceCollector } from '@lapwing/testing/trace-collector.ts'
import { type Accounts, publicToken, startAccounts } from './testing/accounts-stack.ts'
import { findOddLabels, findOddSpans } from './testing/find-odd-labels.ts'
import { linkIn } from './testing/mails.ts'

const pageOrigin = 'http://localhost:9'
const email = 'canary.person@lapwing.test'
const socialEmail = 'canary.social@lapwing.test'
const password = 'canary violet sausage 42'
const newPassword = 'canary amber teapot 77'
const username = 'Canary_Kerb'
const ipAddress = '203.0.113.77'

let accounts: Accounts
let collector: TraceCollector
/** Texts that no log may contain, each with its kind. */
const canaries = new Map<string, string>([
  ['the address', email],
  ['the address of the provider', socialEmail],
  ['the password', password],
  ['the new password', newPassword],
  ['the name', username],
  ['the network address', ipAddress],
])

before(async () => {
  collector = await startTraceCollector()
  accounts = await startAccounts({
    pageOrigin,
    withGateway: true,
    logLevel: 'trace',
    tracesUrl: collector.url,
    identity: { TRUSTED_PROXIES: '127.0.0.1' },
  })
})
after(async () => {
  await accounts?.stop()
  await collector?.close()
})

test('writes no address, password, token or name to any log, metric or trace, whatever a person does', async () => {
  await resetAndSignIn(await signUp())
  await useCodeAndLink()
  await signInByProvider()
  await failInEveryWay()

  const metrics = await accounts.readMetrics()
  const logs = await accounts.stopAndReadLogs()
  for (const [service, line] of [
    ['identity', '"route":"/sdk/v1/passwords/email/reset"'],
    ['identity', '"route":"/sdk/v1/oauth/authenticate"'],
    ['identity', '"route":"/sdk/v1/otps/sms/login_or_create"'],
    ['account', '/auth/username'],
    ['gateway', '/auth/username'],
  ] as const) {
    assert.ok(
      logs.get(service)!.includes(line),
      `${service} wrote no line of ${line}: the test would see nothing`,
    )
  }
  for (const [service, line] of [
    ['identity', 'route="/sdk/v1/passwords/email/reset"'],
    ['identity', 'lapwing_password_hash_wait_seconds_count'],
    ['identity', 'lapwing_outbox_messages{outbox="mails"'],
    ['account', 'route="/api/v1/auth/username"'],
    ['gateway', 'lapwing_http_requests_total{method="POST",route="/sdk/v1/*"'],
  ] as const) {
    assert.ok(metrics.get(service)!.includes(line), `${service} has no metric with ${line}`)
  }
  for (const [service, text] of metrics) assert.deepEqual(findOddLabels(text), [], service)
  const spans = collector.spans()
  for (const [service, name] of [
    ['identity', 'POST /sdk/v1/passwords/email/reset'],
    ['account', 'POST /api/v1/auth/username'],
    ['account', 'deliver to '],
    ['gateway', 'POST /sdk/v1/*'],
  ] as const) {
    assert.ok(
      spans.some(span => span.process === service && span.name.startsWith(name)),
      `${service} exported no span ${name}: the test would see nothing`,
    )
  }
  assert.deepEqual(findOddSpans(spans), [])
  assert.ok(canaries.size >= 16, `${canaries.size} canaries`)
  const found: string[] = []
  for (const [what, secret] of canaries) {
    assert.ok(secret.length >= 6, `${what} is long enough to be told from chance`)
    for (const [service, text] of [...logs, ...metrics, ['all', collector.bodies().join('\n')] as const]) {
      for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
        if (text.includes(form))
          found.push(`${what} stands in the log, the metrics or the traces of ${service}`)
      }
    }
  }
  assert.deepEqual([...new Set(found)], [])
})

interface Session {
  readonly session_token: string
  readonly session_jwt: string
}

async function signUp(): Promise<Session> {
  const session = await identity<Session>('/passwords', { email, password, session_duration_minutes: 60 })
  keepSession('at sign-up', session)
  await account('POST', '/auth/username', session, { username })
  await account('GET', '/auth/username', session)
  await account('POST', '/auth/consent', session, { waitlist: true, marketing: false })
  await identity('/passwords/strength_check', { email, password })
  return session
}

async function resetAndSignIn(session: Session): Promise<void> {
  await identity('/passwords/email/reset/start', { email })
  const token = linkIn(await accounts.mailTo(email)).searchParams.get('token')!
  canaries.set('the reset token', token)
  keepSession(
    'after the reset',
    await identity<Session>('/passwords/email/reset', {
      token,
      password: newPassword,
      session_duration_minutes: 60,
    }),
  )
  // Used, ended and wrong by now.
  await identity('/passwords/email/reset', { token, password: newPassword }, publicToken, 401)
  await identity('/sessions/authenticate', {}, session.session_token, 404)
  await identity('/passwords/authenticate', { email, password }, publicToken, 401)
  keepSession(
    'at sign-in',
    await identity<Session>('/passwords/authenticate', {
      email,
      password: newPassword,
      session_duration_minutes: 60,
    }),
  )
}

async function useCodeAndLink(): Promise<void> {
  const withCode = 'canary.code@lapwing.test'
  canaries.set('the address of the code', withCode)
  const { method_id } = await identity<{ method_id: string }>('/otps/email/login_or_create', {
    email: withCode,
  })
  const code = /\b\d{6}\b/.exec((await accounts.mailTo(withCode)).text)![0]
  keepSession(
    'by code',
    await identity<Session>('/otps/authenticate', { token: code, method_id, session_duration_minutes: 60 }),
  )
  const number = '+4915112345678'
  canaries.set('the phone number', number).set('the digits of the phone number', number.slice(1))
  const { method_id: textId } = await identity<{ method_id: string }>('/otps/sms/login_or_create', {
    phone_number: number,
  })
  const texted = /\b\d{6}\b/.exec((await accounts.mailTo(number)).text)![0]
  keepSession(
    'by text',
    await identity<Session>('/otps/authenticate', {
      token: texted,
      method_id: textId,
      session_duration_minutes: 60,
    }),
  )
  // Of another country, and a landline.
  canaries.set('a refused number', '5511961234567')
  await identity('/otps/sms/login_or_create', { phone_number: '+5511961234567' }, publicToken, 400)
  await identity('/otps/sms/login_or_create', { phone_number: '+4930901820' }, publicToken, 400)
  for (const type of ['ethereum', 'solana'] as const) {
    const wallet = newWallet(type)
    const named = { crypto_wallet_type: type, crypto_wallet_address: wallet.address }
    const { challenge } = await identity<{ challenge: string }>(
      '/crypto_wallets/authenticate/start/primary',
      named,
    )
    const signature = await wallet.sign(challenge)
    canaries
      .set(`the wallet of ${type}`, wallet.address)
      .set(`the nonce for ${type}`, /Nonce: (\w+)/.exec(challenge)![1]!)
      .set(`the signature of ${type}`, signature)
    const signed = { ...named, signature, session_duration_minutes: 60 }
    keepSession(`by ${type}`, await identity<Session>('/crypto_wallets/authenticate', signed))
    // Used by now.
    await identity('/crypto_wallets/authenticate', signed, publicToken, 401)
  }
  const withLink = 'canary.link@lapwing.test'
  canaries.set('the address of the link', withLink)
  await identity('/magic_links/email/login_or_create', { email: withLink })
  const token = linkIn(await accounts.mailTo(withLink)).searchParams.get('token')!
  canaries.set('the token of the link', token)
  keepSession(
    'by link',
    await identity<Session>('/magic_links/authenticate', { token, session_duration_minutes: 60 }),
  )
}

async function signInByProvider(): Promise<void> {
  const verifier = 'canary-verifier-that-the-page-kept-to-itself-012345'
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = Buffer.from(digest).toString('base64url')
  const start = await fetch(
    `${accounts.identityUrl}/v1/public/oauth/google/start?public_token=${publicToken}&code_challenge=${challenge}`,
    { redirect: 'manual' },
  )
  const atProvider = new URL(start.headers.get('location')!)
  const cookie = start.headers.get('set-cookie')!.split(';')[0]!
  const agreed = await fetch(atProvider.origin + atProvider.pathname, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      ...Object.fromEntries(atProvider.searchParams),
      decision: 'allow',
      email: socialEmail,
    }),
  })
  const back = new URL(agreed.headers.get('location')!)
  const finished = await fetch(back, { redirect: 'manual', headers: { cookie } })
  const token = new URL(finished.headers.get('location')!).searchParams.get('token')!
  keepSession(
    'by provider',
    await identity<Session>('/oauth/authenticate', {
      token,
      code_verifier: verifier,
      session_duration_minutes: 60,
    }),
  )
  canaries.set('the state', back.searchParams.get('state')!)
  canaries.set('the code of the provider', back.searchParams.get('code')!)
  canaries.set('the token of the provider', token)
  canaries.set('the verifier', verifier)
  canaries.set('the cookie', cookie.split('=')[1]!)
}

async function failInEveryWay(): Promise<void> {
  const secret = 'canary-in-a-bad-place'
  canaries.set('what was sent wrongly', secret)
  for (const base of [accounts.gatewayUrl, accounts.identityUrl, `${accounts.accountUrl}/api`]) {
    for (const path of [`/sdk/v1/passwords?token=${secret}`, `/auth/username/${secret}`, `/${secret}`]) {
      for (const body of [`{"password":"${secret}"`, JSON.stringify({ email: { secret } }), secret]) {
        await fetch(base + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            cookie: `stytch_session=${secret}`,
            'x-sdk-client': secret,
            'user-agent': secret,
            referer: `https://lapwing.test/?token=${secret}`,
          },
          body,
        })
      }
    }
  }
}

function keepSession(when: string, { session_token: token, session_jwt: jwt }: Session): void {
  canaries.set(`the session token ${when}`, token)
  canaries.set(`the token for services ${when}`, jwt)
  canaries.set(`the header with the session token ${when}`, basic(token))
}

/** Calls identity through the gateway, like the page does. */
async function identity<Data = unknown>(
  path: string,
  body: object,
  as = publicToken,
  status = 200,
): Promise<Data> {
  const answer = await fetch(`${accounts.gatewayUrl}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic(as)}`,
      'content-type': 'application/json',
      'x-forwarded-for': ipAddress,
      'x-sdk-client': btoa(JSON.stringify({ stytch_user_id: 'canary' })),
    },
    body: JSON.stringify(body),
  })
  const { data, ...rest } = (await answer.json()) as { data: Data }
  assert.equal(answer.status, status, `${path}: ${JSON.stringify(rest)}`)
  return data
}

async function account(method: string, path: string, session: Session, body?: object): Promise<void> {
  const answer = await fetch(`${accounts.gatewayUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${session.session_jwt}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
}

function basic(secret: string): string {
  return btoa(`${publicToken}:${secret}`)
}
