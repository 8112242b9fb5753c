import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness } from '../test/harness.ts'
import { waysIn } from '../test/ways-in.ts'

let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness()
  ways = waysIn(service)
})

after(() => service.close())

const list = (as?: string) =>
  service.call('getSessions', '/sdk/v1/users/sessions', { method: 'GET', ...(as !== undefined && { as }) })
const revokeOthers = (as?: string) =>
  service.call('revokeOtherSessions', '/sdk/v1/users/sessions/revoke_others', {
    ...(as !== undefined && { as }),
  })
const read = (as: string) => service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as })

/** Signs in from a browser without a session. */
async function signIn(email: string, browser: string): Promise<string> {
  const { status, data } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password: goodPassword, session_duration_minutes: 60 },
    headers: { 'user-agent': browser },
  })
  assert.equal(status, 200)
  return data.session_token
}

test('lists the sessions of a person alone, the last used first, and marks the one of the request', async () => {
  const email = 'lists.sessions@example.com'
  const { token, sessionId } = await service.signUp(email)
  await service.signUp('lists.nothing@example.com')
  service.advance(60_000)
  await signIn(email, 'Firefox')
  const { data } = await list(token)
  assert.deepEqual(
    data.sessions.map((session: { user_agent: string; is_current: boolean }) => session.is_current),
    [false, true],
  )
  assert.equal(data.sessions[0].user_agent, 'Firefox')
  assert.equal(data.sessions[0].last_accessed_at, service.now().toISOString())
  assert.equal(data.sessions[1].session_id, sessionId)
  assert.equal(data.sessions[1].is_operator, false)
})

test('lists no session that has ended or expired', async () => {
  const email = 'lists.live@example.com'
  await service.signUp(email)
  service.advance(61 * 60_000)
  const token = await signIn(email, 'Firefox')
  const ended = await signIn(email, 'Chrome')
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: ended })
  assert.equal((await list(token)).data.sessions.length, 1)
})

test('ends every other session of the person immediately, and no session of another person', async () => {
  const email = 'ends.others@example.com'
  const { token } = await service.signUp(email)
  const other = await service.signUp('stays.signed.in@example.com')
  const others = [await signIn(email, 'Firefox'), await signIn(email, 'Chrome')]
  assert.equal((await revokeOthers(token)).status, 200)
  for (const ended of others) assert.equal((await read(ended)).error, 'session_not_found')
  assert.equal((await read(token)).status, 200)
  assert.equal((await read(other.token)).status, 200)
  const revoked = await service.db.selectFrom('revoked_session').select('session_id').execute()
  assert.ok(revoked.length >= 2, 'services refuse their tokens, too')
  assert.equal((await revokeOthers(token)).status, 200)
})

test('leaves one session of two that end each other at the same time', async () => {
  const email = 'ends.each.other@example.com'
  const tokens = [(await service.signUp(email)).token, await signIn(email, 'Firefox')]
  const answers = await Promise.all(tokens.map(revokeOthers))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  const states = await Promise.all(tokens.map(read))
  assert.deepEqual(states.map(({ status }) => status).sort(), [200, 404])
})

test('shows and ends nothing five minutes after a sign-in, until the person confirms with a code that it is them', async () => {
  const email = 'confirms.first@example.com'
  const { app, token } = await ways.signUpWithApp(email)
  service.advance(5 * 60_000 - 30_000)
  for (const call of [list, revokeOthers]) assert.equal((await call(token)).status, 200)
  service.advance(1_000)
  for (const call of [list, revokeOthers]) assert.equal((await call(token)).error, 'session_too_old')
  const { data } = await ways.typeCode(token, app.code())
  for (const call of [list, revokeOthers]) assert.equal((await call(data.session_token)).status, 200)
})

test('shows and ends nothing without a session, or without its second factor', async () => {
  const email = 'half.sessions@example.com'
  const { token } = await ways.signUpWithApp(email)
  const half = await signIn(email, 'Firefox')
  for (const call of [list, revokeOthers]) {
    assert.equal((await call()).error, 'user_unauthenticated')
    assert.equal((await call(half)).error, 'insufficient_factors')
  }
  assert.equal((await read(token)).status, 200)
})
