import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { anAccount } from '#testing/an-account.ts'
import { logIn, logInProblem } from './log-in.ts'
import { addSecondFactor, adoptOrAsk, type PendingSignIn, secondFactorProblem } from './second-factor.ts'

const app = { code: '123456', recoveryCode: 'aaaa-bbbb-cccc' }
const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

test('requires an email and a password', () => {
  assert.equal(logInProblem({ email: '', password: 'p' }), 'Enter email and password')
  assert.equal(logInProblem({ email: '  ', password: 'p' }), 'Enter email and password')
  assert.equal(logInProblem({ email: 'a@b.c', password: '' }), 'Enter email and password')
  // Spaces can be a password.
  assert.equal(logInProblem({ email: 'a@b.c', password: ' ' }), null)
})

for (const remember of [true, false]) {
  test(`signing in ${remember ? 'with' : 'without'} "Remember me"`, async () => {
    const { account, identity, notices, cookies } = anAccount()
    identity.addUser(driver)
    assert.equal(await logIn(account, { ...driver, email: ` ${driver.email} `, remember }), true)
    assert.equal(account.session.get().status, 'signed-in')
    assert.deepEqual(notices, ['success: Welcome back!'])
    assert.equal(cookies.written.at(-1)?.includes('Expires'), remember)
  })
}

test('shows that an answer has no session', async () => {
  const { account, identity, notices } = anAccount()
  identity.addUser(driver)
  identity.settings.answersNoSession = true
  assert.equal(await logIn(account, { ...driver, remember: true }), false)
  assert.deepEqual(notices, ['info: Logged in (no session returned)'])
})

for (const [factor, sent] of [
  [{ kind: 'code', text: ' 123 456' }, { totp_code: '123456' }],
  [{ kind: 'recovery', text: ' aaaa-bbbb-cccc ' }, { recovery_code: 'aaaa-bbbb-cccc' }],
] as const) {
  test(`signs in only after the second factor: a ${factor.kind}`, async () => {
    const { account, identity, notices, cookies } = anAccount()
    identity.addUser({ ...driver, app })
    const pending = await logIn(account, { ...driver, remember: true })
    assert.equal(typeof pending, 'object')
    assert.equal(account.session.get().status, 'signed-out')
    // The half session is in memory alone.
    assert.equal(cookies.cookie, '')
    assert.deepEqual(notices, [])
    assert.equal(secondFactorProblem(factor), null)
    assert.equal(await addSecondFactor(account, pending as PendingSignIn, factor), true)
    assert.equal(account.session.get().status, 'signed-in')
    assert.equal(cookies.written.at(-1)?.includes('Expires'), true)
    assert.deepEqual(identity.calls.at(-1)?.body, { ...sent, session_duration_minutes: 60 })
  })
}

test('knows from the answer whether the account has an app, or must set up its first one', async () => {
  const { account, identity } = anAccount()
  identity.addUser({ ...driver, app })
  const withApp = await logIn(account, { ...driver, remember: true })
  assert.equal((withApp as PendingSignIn).needsApp, false)
  const answer = await createPasswords(account.client).authenticate(driver)
  const half = {
    ...answer,
    user: { ...answer.user, totps: [] },
    session_jwt: `e.${btoa(JSON.stringify({ aud: ['project/second-factor'] }))}.s`,
  }
  const pending = adoptOrAsk(account, half, { remember: false })
  assert.deepEqual(pending, { token: answer.session_token, remember: false, needsApp: true })
  assert.equal(account.session.get().status, 'signed-out')
})

test('stays signed out after a wrong code, and starts again after the sign-in has expired', async () => {
  const { account, identity } = anAccount()
  identity.addUser({ ...driver, app })
  const pending = (await logIn(account, { ...driver, remember: true })) as PendingSignIn
  const wrong = { kind: 'code', text: '654321' } as const
  await assert.rejects(addSecondFactor(account, pending, wrong), {
    message: 'This code is wrong or too old.',
  })
  identity.endSessions()
  await assert.rejects(addSecondFactor(account, pending, { kind: 'code', text: app.code }), {
    message: 'This sign-in has expired. Please start again.',
  })
  assert.equal(account.session.get().status, 'signed-out')
})

test('requires six digits or a recovery code', () => {
  for (const text of ['', '12345', '1234567', 'abcdef']) {
    assert.equal(secondFactorProblem({ kind: 'code', text }), 'Enter the six digits of the code')
  }
  assert.equal(secondFactorProblem({ kind: 'recovery', text: ' ' }), 'Enter a recovery code')
})
