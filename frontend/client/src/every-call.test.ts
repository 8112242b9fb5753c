import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { aClient } from '../../src/testing/a-client.ts'
import { checkInput } from './check-input.ts'
import type { Client } from './client.ts'
import { createIdp } from './idp.ts'
import { createMagicLinks, createMailCodes } from './mail.ts'
import { createOAuth } from './oauth.ts'
import { createOrganizations } from './organizations.ts'
import { createPasskeys } from './passkeys.ts'
import { createPasswords } from './passwords.ts'
import { createPhoneCodes } from './phone.ts'
import { projectOf } from './project.ts'
import { createSessions } from './sessions.ts'
import { createTotps } from './totps.ts'
import { createUsers } from './users.ts'
import { createWallets } from './wallets.ts'

const SESSION = { session_duration_minutes: 30 }
const PASSWORD = { email: 'ada@lapwing.test', password: 'correct horse', ...SESSION }
const CODE = { token: '123456', method_id: 'method-1', ...SESSION }
const MAIL = { email: 'ada@lapwing.test' }
const NUMBER = { phone_number: '+15005550006' }
const WALLET = { crypto_wallet_address: '0x1', crypto_wallet_type: 'ethereum' } as const
const REQUEST = {
  client_id: 'app',
  redirect_uri: 'https://app.test',
  response_type: 'code',
  scopes: ['openid'],
}

/** Makes each call of the products once. */
async function callAll(client: Client): Promise<void> {
  const users = createUsers(client)
  const sessions = createSessions(client)
  const passwords = createPasswords(client)
  const links = createMagicLinks(client)
  const mailCodes = createMailCodes(client)
  const phone = createPhoneCodes(client)
  const oauth = createOAuth(client)
  const passkeys = createPasskeys(client)
  const totps = createTotps(client)
  const wallets = createWallets(client)
  const idp = createIdp(client)
  const organizations = createOrganizations(client)
  const calls: (() => Promise<unknown>)[] = [
    () => projectOf(client).bootstrap(),
    () => client.sendEvents([{ event_name: 'an event', details: {} }]),
    users.get,
    () => users.update({ untrusted_metadata: {} }),
    ...Object.entries(users).flatMap(([name, remove]) =>
      name.startsWith('remove') ? [() => (remove as typeof users.removeEmail)('1')] : [],
    ),
    () => users.search(MAIL),
    () => sessions.authenticate(SESSION),
    sessions.revoke,
    () => sessions.exchangeAccessToken({ access_token: 'a' }),
    () => sessions.attest({ profile_id: 'p', token: 't' }),
    () => sessions.impersonate({ impersonation_token: 't' }),
    sessions.list,
    sessions.revokeOthers,
    () => passwords.create(PASSWORD),
    () => passwords.authenticate(PASSWORD),
    () => passwords.startReset(MAIL),
    () => passwords.resetByEmail({ token: 't', password: 'correct horse' }),
    () => passwords.resetByExisting({ ...MAIL, existing_password: 'old horse', new_password: 'new horse' }),
    () => passwords.resetBySession({ password: 'new horse' }),
    () => passwords.checkStrength({ password: 'new horse' }),
    () => links.loginOrCreate(MAIL),
    () => links.send(MAIL),
    () => links.authenticate({ token: 't' }),
    () => mailCodes.loginOrCreate(MAIL),
    () => mailCodes.send(MAIL),
    () => mailCodes.authenticate(CODE),
    ...(['sms', 'whatsapp'] as const).flatMap(channel => [
      () => phone.loginOrCreate(channel, NUMBER),
      () => phone.send(channel, NUMBER),
    ]),
    () => phone.authenticate(CODE),
    () => oauth.authenticate({ token: 't' }),
    () => oauth.attach({ provider: 'google' }),
    () => passkeys.startRegistration(),
    () => passkeys.register({ public_key_credential: '{}' }),
    () => passkeys.start(),
    () => passkeys.authenticate({ public_key_credential: '{}' }),
    () => passkeys.rename('1', { name: 'A key' }),
    () => totps.create(),
    () => totps.authenticate({ totp_code: '123456' }),
    () => totps.recover({ recovery_code: 'a' }),
    totps.recoveryCodes,
    () => wallets.start(WALLET),
    () => wallets.authenticate({ ...WALLET, signature: '0x2' }),
    () => idp.start(REQUEST),
    () => idp.submit({ ...REQUEST, consent_granted: true }),
    () => idp.startLogout({ client_id: 'app', post_logout_redirect_uri: 'https://app.test' }),
    idp.apps,
    () => idp.disconnect('1'),
    () => organizations.discover({ email_address: MAIL.email }),
    () => organizations.get('1'),
    () => organizations.join('1'),
    organizations.own,
    () => organizations.searchMember({ email_address: MAIL.email, organization_id: '1' }),
    () => organizations.authenticate({ token: 't' }),
  ]
  for (const call of calls) await call()
}

/** A call as the contract writes it: method, path, and the names of its members. */
interface Operation {
  readonly name: string
  readonly members: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const names = schema.$ref.slice(2).split('/')
  return resolved(
    names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as Schema,
  )
}

function membersOf(schema: Schema): Pick<Operation, 'members' | 'required'> {
  const { properties = {}, required = [], allOf = [] } = resolved(schema)
  const parts = allOf.map(membersOf)
  const own = Object.entries(properties).map(([name, member]) => [name, resolved(member).type])
  return {
    members: Object.assign({}, ...parts.map(({ members }) => members), Object.fromEntries(own)),
    required: [...required, ...parts.flatMap(part => part.required)],
  }
}

const operations: readonly Operation[] = Object.entries(contract.paths)
  .filter(([path]) => path.startsWith('/sdk/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|post|put|delete)$/.test(method))
      .map(([method, { requestBody }]) => {
        const body = requestBody?.content['application/json'].schema as Schema | undefined
        return {
          name: `${method.toUpperCase()} ${path.slice('/sdk/v1'.length)}`,
          ...membersOf(body ?? {}),
        }
      }),
  )

test('has every call of the contract, each with its members, and no other', async () => {
  const made = new Map<string, Record<string, unknown>>()
  for (const isSignedIn of [false, true]) {
    const { client } = aClient({
      baseUrl: 'https://id.lapwing.test',
      hasSession: () => isSignedIn,
      fetch: async (url, init) => {
        const path = new URL(String(url)).pathname.replace('/sdk/v1', '')
        const id = { public: '{publicToken}' }
        const named = path
          .replace(/^\/projects\/bootstrap\/.*/, `/projects/bootstrap/${id.public}`)
          .replace(/\/1(?=\/|$)/, '/{id}')
        made.set(`${init?.method} ${named}`, init?.body ? JSON.parse(String(init.body)) : {})
        return Response.json({ data: { totps: [] } })
      },
    })
    await callAll(client)
  }
  assert.deepEqual([...made.keys()].sort(), operations.map(({ name }) => name).sort())
  for (const { name, members, required } of operations) {
    if (name === 'POST /events') continue
    const sent = Object.keys(made.get(name)!)
    assert.deepEqual(
      sent.filter(member => !(member in members)),
      [],
      `${name} sends only what the contract names`,
    )
    assert.deepEqual(
      required.filter(member => !sent.includes(member)),
      [],
      `${name} sends what the contract requires`,
    )
  }
})

const EXAMPLES: Readonly<Record<string, unknown>> = { string: 'a', number: 1, boolean: true, array: ['a'] }

test('checks each member of the contract by its type, and says which one is wrong', () => {
  const sentences: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'a boolean',
    array: 'an array of strings',
  }
  for (const { name, members } of operations) {
    for (const [member, type] of Object.entries(members)) {
      if (typeof type !== 'string' || !(type in EXAMPLES) || member === 'name') continue
      checkInput('/a', { [member]: EXAMPLES[type], other: undefined })
      assert.throws(
        () => checkInput('/a', { [member]: { of: 'another type' } }),
        { name: 'UsageError', message: `Invalid call to /a\n${member} must be ${sentences[type]}.` },
        `${name} ${member}`,
      )
    }
  }
})
