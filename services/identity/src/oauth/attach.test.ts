import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type RunningProviders, startProviders } from '@lapwing/dev-servers/providers'
import { Browser, codeVerifier, type Landing } from '../test/browser.ts'
import { type Harness, harness, origin, type SignedIn } from '../test/harness.ts'
import { waysIn } from '../test/ways-in.ts'
import { saveRegistration } from '../users/user.repository.ts'

let providers: RunningProviders
let service: Harness

before(async () => {
  providers = await startProviders({ redirectOrigins: [origin] })
  service = await harness({}, providers.env)
})

after(async () => {
  await service.close()
  await providers.close()
})

const randomEmail = () => `${randomUUID()}@example.test`

/** Signs up a person with a proved address. */
async function signUp(): Promise<SignedIn & { readonly email: string }> {
  const email = randomEmail()
  const signedIn = await service.signUp(email)
  await service.db
    .updateTable('email')
    .set({ verified: true })
    .where('email_id', '=', signedIn.emailId)
    .execute()
  return { ...signedIn, email }
}

async function attachToken(as: string, provider = 'google'): Promise<string> {
  const { status, body, data } = await waysIn(service).attach(as, provider)
  assert.equal(status, 200, JSON.stringify(body))
  return data.oauth_attach_token
}

/** Goes to the provider to add its account of this address. */
const leaveToAdd = async (as: string, email: string, provider = 'google') =>
  new Browser(service).roundTrip(provider, { email }, { oauth_attach_token: await attachToken(as, provider) })

function authenticate(landing: Landing, as?: string) {
  return service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', {
    body: {
      token: landing.location!.searchParams.get('token'),
      code_verifier: codeVerifier,
      session_duration_minutes: 60,
    },
    ...(as !== undefined && { as }),
  })
}

const signInByProvider = async (email: string, provider = 'google') =>
  authenticate(await new Browser(service).roundTrip(provider, { email }))

test('adds a social account to the account of the session, whatever its address, and mails its owner', async () => {
  const { email, token, userId, sessionId } = await signUp()
  const social = randomEmail()
  const added = await authenticate(await leaveToAdd(token, social), token)
  assert.equal(added.status, 200, JSON.stringify(added.body))
  assert.deepEqual([added.data.user_id, added.data.session.session_id], [userId, sessionId])
  assert.equal(added.data.user.providers[0].provider_subject, added.data.provider_subject)
  // Only the person's own request adds an address.
  assert.deepEqual(
    added.data.user.emails.map(({ email }: { email: string }) => email),
    [email],
  )
  assert.deepEqual(
    (await service.mailsTo(email)).map(({ kind }) => kind),
    ['social_added'],
  )
  assert.equal((await signInByProvider(social)).data.user_id, userId)
  // A second time changes nothing and mails nothing.
  const as = added.data.session_token
  const again = await authenticate(await leaveToAdd(as, social), as)
  assert.equal(again.data.user.providers.length, 1)
  assert.equal((await service.mailsTo(email)).length, 1)
})

test('adds an account whose address the provider does not confirm, or that belongs to another account', async () => {
  const [{ token, userId }, { email: taken }] = [await signUp(), await signUp()]
  const landing = await new Browser(service).roundTrip(
    'discord',
    { email: taken, unverified: 'yes' },
    { oauth_attach_token: await attachToken(token, 'discord') },
  )
  const { data } = await authenticate(landing, token)
  assert.equal(data.user_id, userId)
  assert.equal(data.session.authentication_factors.at(-1).discord_oauth_factor.email_id, undefined)
})

test('adds nothing without the session of the request, and still adds in it afterwards', async () => {
  const { email, token, userId } = await signUp()
  const stranger = await signUp()
  const { data: elsewhere } = await waysIn(service).signIn(email)
  const landing = await leaveToAdd(token, randomEmail())
  for (const as of [undefined, stranger.token, elsewhere.session_token]) {
    assert.equal((await authenticate(landing, as)).error, 'oauth_token_not_found')
  }
  const { data } = await authenticate(landing, token)
  assert.deepEqual([data.user_id, data.user.providers.length], [userId, 1])
})

test('opens no account with the token of a person who has signed out', async () => {
  const { token } = await signUp()
  const landing = await leaveToAdd(token, randomEmail())
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: token })
  assert.equal((await authenticate(landing, token)).error, 'oauth_token_not_found')
})

test('accepts a token for a start once, for its provider, and for ten minutes', async () => {
  const { token } = await signUp()
  const start = async (provider: string, oauth_attach_token: string) =>
    (await new Browser(service).start(provider, { oauth_attach_token })).error
  const first = await attachToken(token)
  assert.equal(await start('discord', first), 'invalid_oauth_attach_token')
  assert.equal(await start('google', first), undefined)
  assert.equal(await start('google', first), 'invalid_oauth_attach_token')
  const late = await attachToken(token)
  service.advance(10 * 60_000)
  assert.equal(await start('google', late), 'invalid_oauth_attach_token')
})

test('lets one of fifty concurrent starts use a token', async () => {
  const { token } = await signUp()
  const oauth_attach_token = await attachToken(token)
  const landings = await Promise.all(
    Array.from({ length: 50 }, () => new Browser(service).start('google', { oauth_attach_token })),
  )
  assert.equal(landings.filter(({ location }) => location !== null).length, 1)
})

test('refuses an account of a provider that opens another account', async () => {
  const social = randomEmail()
  const other = await signInByProvider(social)
  const { token } = await signUp()
  const refused = await authenticate(await leaveToAdd(token, social), token)
  assert.deepEqual([refused.status, refused.error], [400, 'duplicate_oauth_registration'])
  assert.equal((await signInByProvider(social)).data.user_id, other.data.user_id)
})

test('gives an account of a provider to one of two people who add it at the same time', async () => {
  const people = [await signUp(), await signUp()]
  const social = randomEmail()
  const landings = await Promise.all(people.map(({ token }) => leaveToAdd(token, social)))
  const answers = await Promise.all(people.map(({ token }, index) => authenticate(landings[index]!, token)))
  assert.deepEqual(answers.map(({ error }) => error ?? 'added').sort(), [
    'added',
    'duplicate_oauth_registration',
  ])
})

test('gives no token without a session, a proved address, the second factor, or a provider that is set up', async () => {
  const ways = waysIn(service)
  const { token } = await signUp()
  assert.equal((await ways.attach(undefined, 'google')).error, 'user_unauthenticated')
  assert.equal((await ways.attach('nobody', 'google')).error, 'session_not_found')
  for (const provider of ['github', 'constructor', '']) {
    assert.equal((await ways.attach(token, provider)).error, 'oauth_provider_not_configured')
  }
  const unproved = await service.signUp(randomEmail())
  assert.equal((await ways.attach(unproved.token, 'google')).error, 'unauthorized_action')
  const email = randomEmail()
  await ways.signUpWithApp(email)
  const { data } = await ways.signIn(email)
  assert.equal((await ways.attach(data.session_token, 'google')).error, 'insufficient_factors')
})

test('adds no more than twenty social accounts', async () => {
  const { token, userId } = await signUp()
  const landing = await leaveToAdd(token, randomEmail())
  for (let index = 0; index < 20; index++) {
    const provider = { type: 'google', subject: randomUUID(), profilePictureUrl: '', locale: '' }
    await service.deps.change(work => saveRegistration(work, userId, provider))
  }
  assert.equal((await waysIn(service).attach(token, 'google')).error, 'unauthorized_action')
  assert.equal((await authenticate(landing, token)).error, 'unauthorized_action')
})

test('removes a social account, ends the other sessions and mails the owner', async () => {
  const { email, token } = await signUp()
  const social = randomEmail()
  const { data: added } = await authenticate(await leaveToAdd(token, social), token)
  const { data: elsewhere } = await signInByProvider(social)
  const id = added.user.providers[0].oauth_user_registration_id
  const removed = await service.call('deleteOAuthRegistration', `/sdk/v1/users/oauth/${id}`, {
    method: 'DELETE',
    as: added.session_token,
  })
  assert.deepEqual(removed.data.__user.providers, [])
  const { error } = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: elsewhere.session_token,
    body: {},
  })
  assert.equal(error, 'session_not_found')
  assert.deepEqual(
    (await service.mailsTo(email)).map(({ kind }) => kind),
    ['social_added', 'social_removed'],
  )
  assert.notEqual((await signInByProvider(social)).data.user_id, added.user_id)
})
