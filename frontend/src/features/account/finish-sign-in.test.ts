import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '#testing/an-account.ts'
import { authTab } from './auth-tab.ts'
import { finishSignIn } from './finish-sign-in.ts'

const query = (text: string) => new URLSearchParams(text)
const canceled = 'Sign-in was canceled. You can try again.'
const invalid = 'Invalid or expired authentication link. Please try again.'
const expired = 'This sign-in link has expired or is invalid. Please try again.'

for (const [name, address, kind, sentence] of [
  ['access_denied', 'error=access_denied', 'cancelled', canceled],
  ['a denial of the provider', 'error_type=user_denied_consent&error_message=No', 'cancelled', canceled],
  ['a cancellation', 'error_type=user_cancelled', 'cancelled', canceled],
  ['a cancellation in capitals', 'error=CANCELLED_BY_USER', 'cancelled', canceled],
  [
    'another error with a message',
    'error_type=oauth_flow_callback_error&error_message=It broke.',
    'failed',
    'The sign-in provider says: It broke.',
  ],
  [
    'an error with the other name of a message',
    'error=server_error&message=It broke.',
    'failed',
    'The sign-in provider says: It broke.',
  ],
  [
    'an error with both names of a message',
    'error=server_error&error_message=It broke.&message=No.',
    'failed',
    'The sign-in provider says: It broke.',
  ],
  [
    'a message with markup, lines and turned-around text',
    'error=x&message=%3Cb%3EPay%3C/b%3E%0A%0Aus%E2%80%AE%00now',
    'failed',
    'The sign-in provider says: <b>Pay</b> us now',
  ],
  [
    'a message of 200 characters',
    `error=x&message=${'m'.repeat(200)}`,
    'failed',
    `The sign-in provider says: ${'m'.repeat(200)}`,
  ],
  [
    'a message of 201 characters',
    `error=x&message=${'m'.repeat(201)}`,
    'failed',
    `The sign-in provider says: ${'m'.repeat(199)}…`,
  ],
  ['a message of spaces alone', 'error=x&message=%20%0A', 'failed', 'Authentication could not be completed.'],
  ['an error without a message', 'error=server_error', 'failed', 'Authentication could not be completed.'],
  [
    'the error_type before the error',
    'error_type=server_error&error=access_denied',
    'failed',
    'Authentication could not be completed.',
  ],
  ['no token', 'stytch_token_type=oauth', 'failed', invalid],
  ['an empty token', 'stytch_token_type=oauth&token=', 'failed', invalid],
  ['no type', 'token=t', 'failed', invalid],
  ['a token of another type', 'stytch_token_type=multi_tenant_magic_links&token=t', 'failed', invalid],
  ['a discovery', 'stytch_token_type=discovery&token=t', 'failed', invalid],
  ['a sign-in of an organization that is not known', 'stytch_token_type=sso&token=t', 'failed', expired],
  ['a link of an operator that is not known', 'stytch_token_type=impersonation&token=t', 'failed', expired],
  ['a type that every object has', 'stytch_token_type=constructor&token=t', 'failed', invalid],
  ['a link without a token', 'stytch_token_type=magic_links', 'failed', invalid],
  ['a reset link without a token', 'stytch_token_type=reset_password', 'failed', invalid],
  ['a link that is not known', 'stytch_token_type=magic_links&token=t', 'failed', expired],
  ['nothing at all', '', 'failed', invalid],
  ['a token that is not known', 'stytch_token_type=oauth&token=t', 'failed', expired],
] as const) {
  test(`${name}: "${sentence}"`, async () => {
    const { account, notices } = anAccount()
    assert.deepEqual(await finishSignIn(account, query(address)), { kind, sentence })
    assert.equal(account.session.get().status, 'signed-out')
    assert.deepEqual(notices, [])
  })
}

for (const [name, failure, sentence] of [
  ['an expired one', { status: 401, type: 'x', message: 'The link has expired.' }, expired],
  ['an invalid one', { status: 401, type: 'x', message: 'That is invalid.' }, expired],
  [
    'another refusal',
    { status: 429, type: 'too_many_requests', message: 'Too many requests.' },
    'Too many requests.',
  ],
  [
    'a refusal without words',
    { status: 500, type: 'internal_server_error', message: '' },
    'Authentication failed.',
  ],
  ['a provider out of reach', { network: true }, 'Unable to contact our servers.'],
] as const) {
  test(`a failed exchange, ${name}: "${sentence}"`, async () => {
    const { account, identity } = anAccount()
    identity.failNext('/oauth/authenticate', failure)
    const result = await finishSignIn(account, query('stytch_token_type=oauth&token=t'))
    assert.deepEqual(result, { kind: 'failed', sentence })
  })
}

test('signs in, shows a welcome, remembers the login tab and goes home', async () => {
  const { account, identity, notices } = anAccount()
  authTab.set('signup')
  const token = identity.issueToken('oauth', 'driver@lapwing.test')
  const result = await finishSignIn(account, query(`stytch_token_type=oauth&token=${token}`))
  assert.deepEqual(result, { kind: 'signed-in', next: '/' })
  assert.equal(account.session.get().status, 'signed-in')
  assert.deepEqual(notices, ['success: Welcome to Lapwing!'])
  assert.equal(authTab.get(), 'login')
})

test('signs in through an organization', async () => {
  const { account, identity } = anAccount()
  const token = identity.issueToken('sso', 'driver@lapwing.test')
  const result = await finishSignIn(account, query(`stytch_token_type=sso&token=${token}`))
  assert.deepEqual(result, { kind: 'signed-in', next: '/' })
  assert.equal(account.session.get().status, 'signed-in')
})

for (const type of ['magic_links', 'login']) {
  test(`a link of type ${type} signs in, welcomes and goes home`, async () => {
    const { account, identity, notices } = anAccount()
    const token = identity.issueToken('link', 'driver@lapwing.test')
    const result = await finishSignIn(account, query(`stytch_token_type=${type}&token=${token}`))
    assert.deepEqual(result, { kind: 'signed-in', next: '/' })
    assert.equal(account.session.get().status, 'signed-in')
    assert.deepEqual(notices, ['success: Welcome to Lapwing!'])
  })
}

test('keeps the session and its greeting apart when a provider’s account is added', async () => {
  const { account, identity, notices } = anAccount()
  account.returnFlags.setAdding()
  const token = identity.issueToken('oauth', 'driver@lapwing.test')
  assert.deepEqual(await finishSignIn(account, query(`stytch_token_type=oauth&token=${token}`)), {
    kind: 'signed-in',
    next: '/',
    sentence: 'The account was added.',
  })
  assert.deepEqual(notices, ['success: Social account added'])
})

for (const [name, address, kind, sentence] of [
  ['a refusal at the provider', 'error=access_denied', 'cancelled', 'Nothing was added. You can try again.'],
  [
    'a session that has ended meanwhile',
    'stytch_token_type=oauth&token=t',
    'failed',
    'This request has expired. Please sign in and add the account again.',
  ],
] as const) {
  test(`says after ${name} that no account was added, once`, async () => {
    const { account } = anAccount()
    account.returnFlags.setAdding()
    assert.deepEqual(await finishSignIn(account, query(address)), { kind, sentence })
    assert.equal(account.returnFlags.takeAdding(), false)
  })
}

test('opens a driver’s account for an operator without a welcome, and forgets it with the browser', async () => {
  const { account, identity, notices, cookies } = anAccount()
  identity.addUser({ email: 'driver@lapwing.test', app: { code: '123456', recoveryCode: 'a' } })
  const token = identity.issueToken('impersonation', 'driver@lapwing.test')
  const result = await finishSignIn(account, query(`stytch_token_type=impersonation&token=${token}`))
  assert.deepEqual(result, { kind: 'signed-in', next: '/', sentence: 'You see Lapwing as the driver does.' })
  const state = account.session.get()
  assert.equal(state.status === 'signed-in' && state.session.impersonator, '')
  assert.deepEqual(notices, [])
  assert.equal(cookies.written.at(-1)?.includes('Expires'), false)
})

test('says that only another browser can open the link', async () => {
  const { account, identity } = anAccount()
  const message = 'Please open this link in the browser in which you asked for it.'
  identity.failNext('/magic_links/authenticate', {
    status: 400,
    type: 'pkce_expected_code_verifier',
    message,
  })
  const result = await finishSignIn(account, query('stytch_token_type=magic_links&token=t'))
  assert.deepEqual(result, { kind: 'failed', sentence: message })
})

test('sends a reset token to the reset page without using it', async () => {
  const { account, identity } = anAccount()
  const result = await finishSignIn(account, query('stytch_token_type=reset_password&token=a%26b'))
  assert.deepEqual(result, { kind: 'elsewhere', to: '/reset?token=a%26b' })
  assert.deepEqual(identity.calls, [])
})

test('turns compare mode on once if it was requested, and clears the consent flag', async () => {
  const { account, identity, stored } = anAccount()
  account.returnFlags.wantCompare(true)
  account.returnFlags.setTermsAgreed(true)
  assert.equal(stored.size, 2)
  const answers = []
  for (let turn = 0; turn < 2; turn++) {
    const token = identity.issueToken('oauth', 'driver@lapwing.test')
    answers.push(await finishSignIn(account, query(`token_type=oauth&token=${token}`)))
  }
  assert.deepEqual(answers, [
    { kind: 'signed-in', next: '/#compare=1' },
    { kind: 'signed-in', next: '/' },
  ])
  assert.equal(
    [...stored.keys()].some(key => /compare|terms/.test(key)),
    false,
  )
})

test('fails if the provider returns no session', async () => {
  const { account, identity } = anAccount()
  identity.settings.answersNoSession = true
  const token = identity.issueToken('oauth', 'driver@lapwing.test')
  assert.deepEqual(await finishSignIn(account, query(`stytch_token_type=oauth&token=${token}`)), {
    kind: 'failed',
    sentence: 'Authentication failed.',
  })
})
