import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueImpersonation } from '../impersonation/impersonation.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { waysIn } from '../test/ways-in.ts'

/** A deployment whose operator requires a second factor of everybody. */
let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness({}, { SECOND_FACTOR: 'required' })
  ways = waysIn(service)
})

after(() => service.close())

/** Signs up a person whose only second factor is a passkey. */
async function signUpWithPasskey(email: string) {
  const { token, app } = await ways.signUpWithApp(email)
  const added = await ways.addPasskey(token)
  const removed = await service.call('deleteTotp', `/sdk/v1/users/totps/${app.totpId}`, {
    method: 'DELETE',
    as: added.token,
  })
  assert.equal(removed.status, 200, JSON.stringify(removed.body))
  return added
}

test('opens Lapwing to a new account only after it has set up an authenticator app', async () => {
  const email = 'must.set.up@example.com'
  const { token, jwt } = await service.signUp(email)
  assert.equal(await ways.isAccepted(jwt), false)
  const app = await ways.createApp(token)
  const { data } = await ways.typeCode(token, app.code())
  assert.equal(await ways.isAccepted(data.session_jwt), true)
  service.advance(30_000)
  const again = await ways.signIn(email)
  assert.equal(await ways.isAccepted(again.data.session_jwt), false)
  const complete = await ways.typeCode(again.data.session_token, app.code())
  assert.equal(await ways.isAccepted(complete.data.session_jwt), true)
})

test('changes nothing of an account in a session without a second factor, but its app', async () => {
  const { token, emailId } = await service.signUp('changes.nothing@example.com')
  const calls = {
    updateMe: () =>
      service.call('updateMe', '/sdk/v1/users/me', {
        method: 'PUT',
        as: token,
        body: { untrusted_metadata: {} },
      }),
    deleteEmail: () =>
      service.call('deleteEmail', `/sdk/v1/users/emails/${emailId}`, { method: 'DELETE', as: token }),
    resetPasswordBySession: () =>
      service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
        as: token,
        body: { password: 'another violet kerb 42' },
      }),
    startWebauthnRegistration: () => ways.startRegistration(token),
    getRecoveryCodes: () => ways.recoveryCodes(token),
    getConnectedApps: () =>
      service.call('getConnectedApps', '/sdk/v1/users/connected_apps', { method: 'GET', as: token }),
    getSessions: () => service.call('getSessions', '/sdk/v1/users/sessions', { method: 'GET', as: token }),
  }
  for (const [name, call] of Object.entries(calls)) {
    assert.equal((await call()).error, 'insufficient_factors', name)
  }
})

test('accepts a passkey as the second factor', async () => {
  const { authenticator } = await signUpWithPasskey('passkey.only@example.com')
  const { data } = await ways.usePasskey(authenticator.get(await ways.challenge()))
  assert.equal(await ways.isAccepted(data.session_jwt), true)
  assert.equal((await ways.startRegistration(data.session_token)).status, 200)
})

test('lets nobody with the password alone set up an app for an account that has a passkey', async () => {
  const email = 'passkey.and.thief@example.com'
  const { authenticator } = await signUpWithPasskey(email)
  const thief = await ways.signIn(email)
  const { status, error, body } = await service.call('createTotp', '/sdk/v1/totps', {
    as: thief.data.session_token,
    body: {},
  })
  assert.deepEqual([status, error], [401, 'insufficient_factors'])
  assert.match(body.error_message, /has a passkey/)
  const owner = await ways.usePasskey(authenticator.get(await ways.challenge()))
  const app = await ways.createApp(owner.data.session_token)
  // The app that its owner has begun to set up is not the thief's to confirm.
  assert.equal((await ways.typeCode(thief.data.session_token, app.code())).error, 'insufficient_factors')
  assert.equal((await ways.typeCode(owner.data.session_token, app.code())).status, 200)
})

test('lets an operator act for a person who has no second factor yet', async () => {
  const { userId } = await service.signUp('acted.for@example.com')
  const token = await service.deps.change(work =>
    issueImpersonation(work, { userId, operator: 'operator@lapwing.test', reason: 'a lap is missing' }),
  )
  const { data } = await service.call('authenticateImpersonation', '/sdk/v1/impersonation/authenticate', {
    body: { impersonation_token: token },
  })
  assert.equal(await ways.isAccepted(data.session_jwt), true)
})
