import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '#testing/an-account.ts'
import { RESET_EMAIL_MS } from './reset-email.ts'
import { emailOfReset, forgotProblem, resetProblem, sendResetLink, setNewPassword } from './reset-password.ts'

test('checks a new password in the order of the specification', () => {
  const fields = { token: 't', password: 'long enough', confirmation: 'long enough' }
  assert.equal(resetProblem({ token: null, password: 'short', confirmation: '' }), 'Missing token.')
  assert.equal(resetProblem({ token: '', password: 'short', confirmation: '' }), 'Missing token.')
  assert.equal(
    resetProblem({ ...fields, password: '1234567', confirmation: '' }),
    'Password must be at least 8 characters.',
  )
  assert.equal(resetProblem({ ...fields, password: '12345678' }), 'Passwords do not match.')
  assert.equal(resetProblem(fields), null)
})

test('sends a link to an email', async () => {
  assert.equal(forgotProblem(' '), 'Enter your email')
  assert.equal(forgotProblem('a@b.c'), null)
  const { account, identity, notices } = anAccount()
  assert.equal(await sendResetLink(account, ' driver@lapwing.test '), null)
  assert.deepEqual(notices, ['success: Reset link sent. Check your inbox.'])
  assert.equal(identity.calls.at(-1)?.body.email, 'driver@lapwing.test')
  assert.equal(identity.calls.at(-1)?.body.reset_password_redirect_url, 'https://lapwing.test/reset')
})

test('shows why a link cannot be sent, and does not report it as sent', async () => {
  const { account, identity, notices } = anAccount()
  const path = '/passwords/email/reset/start'
  identity.failNext(path, { status: 400, type: 'invalid_email', message: 'Email format is invalid.' })
  assert.equal(await sendResetLink(account, 'a'), 'Email format is invalid.')
  identity.failNext(path, { status: 400, type: 'invalid_email', message: '' })
  assert.equal(await sendResetLink(account, 'a'), 'Could not send reset link')
  assert.deepEqual(notices, [])
})

test('signs in with a new password, and reports a spent link', async () => {
  const { account, identity } = anAccount()
  const token = identity.issueToken('reset', 'driver@lapwing.test')
  assert.equal(await setNewPassword(account, { token, password: 'a new password' }), null)
  assert.equal(account.session.get().status, 'signed-in')
  assert.deepEqual(await setNewPassword(account, { token, password: 'another one' }), {
    sentence: 'The reset link was already used or has expired.',
    isOfTheLink: true,
  })
  identity.failNext('/passwords/email/reset', { status: 500, type: 'internal_server_error', message: '' })
  assert.deepEqual(await setNewPassword(account, { token, password: 'x' }), {
    sentence: 'Reset failed. Please try again.',
    isOfTheLink: false,
  })
})

test('names the address of the requested link for an hour, or until the link is used', async () => {
  const { account, identity, clock, stored } = anAccount()
  assert.equal(emailOfReset(account), null)
  await sendResetLink(account, ' driver@lapwing.test ')
  assert.equal(emailOfReset(account), 'driver@lapwing.test')
  await clock.advance(RESET_EMAIL_MS - 1)
  assert.equal(emailOfReset(account), 'driver@lapwing.test')
  await clock.advance(1)
  assert.equal(emailOfReset(account), null)
  assert.equal(stored.size, 0)

  await sendResetLink(account, 'driver@lapwing.test')
  const token = identity.issueToken('reset', 'driver@lapwing.test')
  await setNewPassword(account, { token, password: 'a new password' })
  assert.equal(stored.size, 0)
})

test('names the address of the session if no link was requested', async () => {
  const { account, identity } = anAccount()
  const token = identity.issueToken('reset', 'driver@lapwing.test')
  await setNewPassword(account, { token, password: 'a new password' })
  assert.equal(emailOfReset(account), 'driver@lapwing.test')
})

test('names no account if the link could not be sent or the storage holds nonsense', async () => {
  const { account, identity, stored } = anAccount()
  identity.failNext('/passwords/email/reset/start', { network: true })
  await sendResetLink(account, 'driver@lapwing.test')
  assert.equal(emailOfReset(account), null)
  for (const text of ['', '{', 'null', '{"email":"a@b.c"}', '{"email":7,"askedMs":1}', '"a@b.c"']) {
    stored.set('lapwing.reset-email', text)
    assert.equal(emailOfReset(account), null, text)
  }
})
