import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { FULL_ACCESS } from '../connected-apps/scopes.ts'
import { type Club, createClub } from '../test/club.ts'
import { type Harness, harness, linkIn } from '../test/harness.ts'
import { relyingParty } from '../test/relying-party.ts'
import { waysIn } from '../test/ways-in.ts'
import type { AuthMethod } from './auth-method.ts'
import { readClaimedDomain } from './claimed-domain.ts'
import { saveConnection, saveOrganization, turnOrganization } from './save-organization.ts'

let service: Harness
let club: Club

before(async () => {
  service = await harness()
  club = await createClub(service, { domains: ['racing.example'], methods: ['sso'] })
})

after(async () => {
  await club.issuer.close()
  await service.close()
})

const newAddress = (domain: string) => `${randomUUID()}@${domain}`

const discover = (email_address: unknown, ip?: string) =>
  service.call('discoverOrganization', '/sdk/v1/organizations/discover', {
    body: { email_address },
    ...(ip !== undefined && { ip }),
  })
const get = (id: string) => service.call('getOrganization', `/sdk/v1/organizations/${id}`, { method: 'GET' })
const join = (id: string, as?: string) =>
  service.call('joinOrganization', `/sdk/v1/organizations/${id}/join`, {
    body: {},
    ...(as !== undefined && { as }),
  })
const search = (email_address: string, organization_id: string, ip?: string) =>
  service.call('searchMember', '/sdk/v1/b2b/organizations/members/search', {
    body: { email_address, organization_id },
    ...(ip !== undefined && { ip }),
  })

/** Creates an organization without a sign-in of its own. */
async function organizationWith(
  ...methods: AuthMethod[]
): Promise<{ readonly id: string; readonly domain: string }> {
  const domain = `${randomUUID()}.example`
  const details = { name: 'Another', domains: [domain], methods }
  return { id: await service.deps.change(work => saveOrganization(work, details, null)), domain }
}

/** Signs a person in with a code by mail. Returns the session token. */
async function enterByCode(email: string): Promise<string> {
  const sent = await service.call('sendEmailCodeOrCreate', '/sdk/v1/otps/email/login_or_create', {
    body: { email },
  })
  const mails = await service.mailsTo(email)
  const code = /\b\d{6}\b/.exec(mails.findLast(({ kind }) => kind === 'code')!.text)![0]
  const { data } = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: sent.data.method_id, session_duration_minutes: 60 },
  })
  return data.session_token
}

test('finds the organization by exactly the domain of an address, in any spelling', async () => {
  for (const known of ['ada@racing.example', ' ADA@Racing.EXAMPLE ']) {
    const { organization } = (await discover(known)).data
    assert.deepEqual(organization, {
      organization_id: club.organizationId,
      organization_name: 'Example Racing',
      allowed_auth_methods: ['sso'],
      sso_connections: [{ connection_id: club.connectionId, display_name: 'Head office' }],
    })
    assert.deepEqual((await get(club.organizationId)).data.organization, organization)
  }
  for (const unknown of ['ada@mail.racing.example', 'ada@notracing.example', 'ada@example.com']) {
    assert.equal((await discover(unknown)).data.organization, null, unknown)
  }
})

test('answers the same for an address with an account, without one, and of a member', async () => {
  const member = newAddress('racing.example')
  await club.enter(member)
  const known = newAddress('racing.example')
  await service.signUp(known)
  const answers = await Promise.all(
    [member, known, newAddress('racing.example')].map(email => discover(email)),
  )
  const shown = answers.map(({ status, data: { request_id: _, ...data } }) => JSON.stringify([status, data]))
  assert.equal(new Set(shown).size, 1, shown.join('\n'))
})

test('lists every connection by name, for a menu, and none if the organization does not allow them', async () => {
  const { id, domain } = await organizationWith('sso', 'emailOtp')
  const { issuer } = club
  const metadata = {
    issuer: issuer.url,
    authorizeUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    keysUrl: `${issuer.url}/keys`,
    profileUrl: null,
    clientAuth: 'basic',
  } as const
  for (const displayName of ['South', 'North']) {
    const details = { displayName, metadata, clientId: 'x', clientSecret: 'y' }
    await service.deps.change(work => saveConnection(work, service.deps.cipher, id, details, null))
  }
  const names = async () =>
    (await discover(`ada@${domain}`)).data.organization.sso_connections.map(
      (one: { display_name: string }) => one.display_name,
    )
  assert.deepEqual(await names(), ['North', 'South'])
  const changed = { name: 'Another', domains: [domain], methods: ['emailOtp'] as const }
  await service.deps.change(work => saveOrganization(work, changed, id))
  assert.deepEqual(await names(), [])
})

test('answers organization_not_found for an unknown organization and one that is turned off', async () => {
  const { id } = await organizationWith('passwords')
  await service.deps.change(work => turnOrganization(work, id, false))
  const { token } = await service.signUp(newAddress('example.com'))
  for (const unknown of [id, 'organization-live-none']) {
    for (const call of [
      () => get(unknown),
      () => search('ada@example.com', unknown),
      () => join(unknown, token),
    ]) {
      const { status, error } = await call()
      assert.deepEqual([status, error], [404, 'organization_not_found'])
    }
  }
})

test('makes a person with a proved address a member by each way that the organization allows', async () => {
  const ways: Readonly<Record<string, (email: string) => Promise<string>>> = {
    emailOtp: enterByCode,
    emailMagicLinks: async email => {
      await service.call('sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create', {
        body: { email },
      })
      const mail = (await service.mailsTo(email)).findLast(({ text }) => text.includes('token='))!
      const { data } = await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
        body: { token: linkIn(mail).searchParams.get('token'), session_duration_minutes: 60 },
      })
      return data.session_token
    },
    passwords: async email => {
      const { token, emailId } = await service.signUp(email)
      await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
      return token
    },
  }
  for (const [method, enter] of Object.entries(ways)) {
    const { id, domain } = await organizationWith(method as AuthMethod)
    const email = newAddress(domain)
    const token = await enter(email)
    const joined = await join(id, token)
    assert.equal(joined.status, 200, `${method}: ${JSON.stringify(joined.body)}`)
    assert.equal(joined.data.organization.organization_id, id)
    assert.equal((await join(id, token)).status, 200)
    const notices = (await service.mailsTo(email)).filter(({ kind }) => kind === 'organization_joined')
    assert.equal(notices.length, 1)
    // Another way in opens the account, and does not count for the organization.
    const strict = { name: 'Another', domains: [domain], methods: ['sso'] as const }
    await service.deps.change(work => saveOrganization(work, strict, id))
    assert.equal((await join(id, token)).error, 'cannot_join_org_due_to_auth_policy')
    assert.equal((await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: token })).status, 200)
  }
})

test('refuses a person whose address is not of the organization or not proved, and a code to another address', async () => {
  const { id, domain } = await organizationWith('emailOtp', 'passwords')
  const policy = async (token: string) => {
    const { status, error } = await join(id, token)
    assert.deepEqual([status, error], [403, 'cannot_join_org_due_to_auth_policy'])
  }
  await policy(await enterByCode(newAddress('example.com')))
  await policy((await service.signUp(newAddress(domain))).token)
  const { id: byCode, domain: own } = await organizationWith('emailOtp')
  const private_ = newAddress('example.com')
  const token = await enterByCode(private_)
  const { userId } = await service.db
    .selectFrom('email')
    .select('user_id as userId')
    .where('address', '=', private_)
    .executeTakeFirstOrThrow()
  const address = newAddress(own)
  await service.db
    .insertInto('email')
    .values({
      email_id: randomUUID(),
      user_id: userId,
      address,
      address_key: address,
      verified: true,
      created_at: service.now(),
    })
    .execute()
  assert.equal((await join(byCode, token)).error, 'cannot_join_org_due_to_auth_policy')
  assert.equal((await join(byCode)).error, 'user_unauthenticated')
})

test('a sign-in of one organization does not count for another one', async () => {
  const email = newAddress('racing.example')
  const { data } = await club.enter(email)
  const other = await organizationWith('sso')
  await service.db
    .insertInto('email')
    .values({
      email_id: randomUUID(),
      user_id: data.user_id,
      address: `ada@${other.domain}`,
      address_key: `ada@${other.domain}`,
      verified: true,
      created_at: service.now(),
    })
    .execute()
  assert.equal((await join(other.id, data.session_token)).error, 'cannot_join_org_due_to_auth_policy')
})

test('does not count an app that acts for the person as a social account of theirs', async () => {
  const { id, domain } = await organizationWith('oauth')
  const app = await relyingParty(service, { scopes: ['openid', FULL_ACCESS] })
  const { access_token } = await app.connect(await enterByCode(newAddress(domain)))
  const { data } = await service.call('exchangeAccessToken', '/sdk/v1/sessions/exchange_access_token', {
    body: { access_token },
  })
  assert.equal((await join(id, data.session_token)).error, 'cannot_join_org_due_to_auth_policy')
})

test('needs the second factor of the account to join', async () => {
  const { id, domain } = await organizationWith('passwords')
  const ways = waysIn(service)
  const email = newAddress(domain)
  await ways.signUpWithApp(email)
  await service.db.updateTable('email').set({ verified: true }).where('address', '=', email).execute()
  const half = await ways.signIn(email)
  assert.equal((await join(id, half.data.session_token)).error, 'insufficient_factors')
})

test('finds a member by a proved address, without a name, and nobody else', async () => {
  const email = newAddress('racing.example')
  const { data } = await club.enter(email)
  const found = await search(email.toUpperCase(), club.organizationId)
  assert.deepEqual(found.data.member, { status: 'active', name: '', member_password_id: '' })
  const stranger = newAddress('racing.example')
  const { emailId, userId } = await service.signUp(stranger)
  assert.equal((await search(stranger, club.organizationId)).data.member, null)
  await service.db.updateTable('email').set({ verified: true }).where('email_id', '=', emailId).execute()
  assert.equal((await search(stranger, club.organizationId)).data.member, null)
  await club.enter(stranger)
  const { member } = (await search(stranger, club.organizationId)).data
  assert.ok(member.member_password_id.length > 0)
  // Nobody learns that a private address belongs to a member.
  const private_ = newAddress('example.com')
  await service.db
    .insertInto('email')
    .values({
      email_id: randomUUID(),
      user_id: data.user_id,
      address: private_,
      address_key: private_,
      verified: true,
      created_at: service.now(),
    })
    .execute()
  assert.equal((await search(private_, club.organizationId)).data.member, null)
  await service.db.deleteFrom('person').where('user_id', 'in', [userId, data.user_id]).execute()
  assert.equal((await search(stranger, club.organizationId)).data.member, null)
  const { id } = await organizationWith('sso')
  assert.equal((await search(email, id)).data.member, null)
  assert.equal((await search('no address', club.organizationId)).error, 'invalid_email')
})

test('allows thirty searches and sixty discoveries a minute from one network', async () => {
  const searches = await Promise.all(
    Array.from({ length: 31 }, () => search('a@racing.example', club.organizationId, '198.51.100.1')),
  )
  const discoveries = await Promise.all(
    Array.from({ length: 61 }, () => discover('a@racing.example', '198.51.100.2')),
  )
  for (const answers of [searches, discoveries]) {
    assert.deepEqual(
      answers.flatMap(({ error }) => error ?? []),
      ['too_many_requests'],
    )
  }
})

test('refuses to claim a domain of another organization, also of one that is turned off', async () => {
  const { id, domain } = await organizationWith('sso')
  await service.deps.change(work => turnOrganization(work, id, false))
  const details = { name: 'Thief', domains: ['thief.example', domain], methods: ['sso'] as const }
  await assert.rejects(
    service.deps.change(work => saveOrganization(work, details, null)),
    new RegExp(
      `^Error: ${domain} is claimed by Another \\(${id}\\) already. A domain belongs to one organization.`,
    ),
  )
  // Nothing of it is stored.
  assert.equal((await discover('ada@thief.example')).data.organization, null)
})

test('gives a domain that two claim at the same time to one of them', async () => {
  const claim = () =>
    service.deps.change(work =>
      saveOrganization(work, { name: 'Both', domains: ['both.example'], methods: ['sso'] }, null),
    )
  const results = await Promise.allSettled([claim(), claim(), claim()])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

for (const [name, typed, problem] of [
  ['of a public mail provider', 'GMail.com', /public mail provider/],
  ['of a provider with a dot at the end', 'gmail.com.', /not the domain/],
  ['with only one part', 'localhost', /not the domain/],
  ['that is an address', 'ada@racing.example', /not the domain/],
  ['with a wildcard', '*.racing.example', /not the domain/],
  ['with a path', 'racing.example/x', /not the domain/],
  ['that is empty', '', /not the domain/],
] as const) {
  test(`refuses to claim a domain ${name}`, () => {
    assert.throws(() => readClaimedDomain(typed), problem)
  })
}
