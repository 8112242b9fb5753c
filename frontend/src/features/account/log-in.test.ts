import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '#testing/an-account.ts'
import { logIn, logInProblem } from './log-in.ts'

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
