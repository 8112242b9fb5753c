import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, loadDatabaseConfig } from './config.ts'

const MINIMAL_ENV = {
  DATABASE_URL: 'postgres://identity:x@localhost/lapwing',
  SMTP_URL: 'smtp://localhost:25',
  PUBLIC_ORIGIN: 'https://lapwing.example',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  INTERNAL_KEY: 'x'.repeat(32),
}

test('derives defaults from the public origin and the project', () => {
  const config = loadConfig(MINIMAL_ENV)
  assert.deepEqual(config.redirects, {
    login: ['https://lapwing.example/authenticate', 'https://lapwing.example/'],
    signup: ['https://lapwing.example/authenticate', 'https://lapwing.example/'],
    reset: ['https://lapwing.example/reset'],
  })
  assert.deepEqual(config.allowedOrigins, ['https://lapwing.example'])
  assert.equal(config.issuer, 'stytch.com/project-live-lapwing')
  assert.deepEqual([config.argon2MemoryKib, config.argon2Passes], [65_536, 3])
  assert.deepEqual(
    config.rbacPolicy.roles.map(role => role.role_id),
    ['driver', 'moderator'],
  )
})

test('replaces defaults by configured lists', () => {
  const config = loadConfig({
    ...MINIMAL_ENV,
    RESET_REDIRECT_URLS: 'https://a.example/reset, https://b.example/reset',
    ALLOWED_ORIGINS: 'https://a.example',
  })
  assert.deepEqual(config.redirects.reset, ['https://a.example/reset', 'https://b.example/reset'])
  assert.deepEqual(config.allowedOrigins, ['https://lapwing.example', 'https://a.example'])
})

test('reads only the database for the migration', () => {
  assert.equal(
    loadDatabaseConfig({ DATABASE_URL: MINIMAL_ENV.DATABASE_URL }).databaseUrl.href,
    'postgres://identity:x@localhost/lapwing',
  )
  assert.throws(() => loadDatabaseConfig({}), /has a problem:\n- DATABASE_URL is missing/)
})

for (const [what, change, problem] of [
  ['no list of roles', { roles: {} }, 'roles must be a list'],
  [
    'a role without an id',
    { roles: [{ description: '', permissions: [] }] },
    'roles[0].role_id must be a string',
  ],
  [
    'an empty id',
    { roles: [{ role_id: '', description: '', permissions: [] }] },
    'roles[0].role_id must not be empty',
  ],
  ['a role that is a word', { roles: ['driver'] }, 'roles[0] must be an object'],
  [
    'a permission without actions',
    { roles: [{ role_id: 'a', description: '', permissions: [{ resource_id: 'lap' }] }] },
    'roles[0].permissions[0].actions must be a list',
  ],
  [
    'an action that is a number',
    { roles: [{ role_id: 'a', description: '', permissions: [{ resource_id: 'lap', actions: ['*', 1] }] }] },
    'roles[0].permissions[0].actions[1] must be a string',
  ],
  [
    'a resource with one action instead of a list',
    { resources: [{ resource_id: 'lap', description: '', actions: '*' }] },
    'resources[0].actions must be a list',
  ],
  [
    'a scope without a name',
    { scopes: [{ description: '', permissions: [] }] },
    'scopes[0].scope must be a string',
  ],
  [
    'a scope with a wrong permission',
    { scopes: [{ scope: 'a', description: '', permissions: [null] }] },
    'scopes[0].permissions[0] must be an object',
  ],
  [
    'a permission for an unknown resource',
    { roles: [{ role_id: 'a', description: '', permissions: [{ resource_id: 'lap', actions: ['*'] }] }] },
    'roles[0].permissions[0].resource_id is no resource',
  ],
  [
    'an action that its resource does not have',
    {
      resources: [{ resource_id: 'lap', description: '', actions: ['submit'] }],
      scopes: [
        {
          scope: 'a',
          description: '',
          permissions: [{ resource_id: 'lap', actions: ['*', 'submit', 'fly'] }],
        },
      ],
    },
    'scopes[0].permissions[0].actions[2] is no action of its resource',
  ],
  [
    'one role twice',
    {
      roles: ['a', 'b', 'a'].map(role_id => ({ role_id, description: '', permissions: [] })),
    },
    'roles[2].role_id is there twice',
  ],
] as const) {
  test(`rejects an RBAC_POLICY with ${what} and names the member`, () => {
    const policy = { roles: [], resources: [], scopes: [], ...change }
    assert.throws(
      () => loadConfig({ ...MINIMAL_ENV, RBAC_POLICY: JSON.stringify(policy) }),
      (error: unknown) =>
        error instanceof ConfigError && error.message.includes(`RBAC_POLICY is no policy: ${problem}`),
    )
  })
}

test('reads the messaging provider, and texts only to the United States and Canada by default', () => {
  const { texts } = loadConfig({
    ...MINIMAL_ENV,
    TEXT_API_URL: 'https://texts.example/Messages.json',
    TEXT_API_CREDENTIALS: 'name:secret',
    SMS_SENDER: '+12015550123',
  })
  assert.deepEqual(texts.provider?.senders, { sms: '+12015550123' })
  assert.deepEqual([...texts.countries], ['US', 'CA'])
  assert.deepEqual(texts.limits, {
    intervalMs: 60_000,
    perNumberAndDay: 10,
    perNetworkAndHour: 10,
    perDay: 1_000,
  })
  assert.equal(loadConfig(MINIMAL_ENV).texts.provider, null)
})

for (const [what, env] of [
  ['credentials', { TEXT_API_URL: 'https://texts.example/', SMS_SENDER: '+12015550123' }],
  ['a sender', { TEXT_API_URL: 'https://texts.example/', TEXT_API_CREDENTIALS: 'name:secret' }],
  ['an address', { TEXT_API_CREDENTIALS: 'name:secret', SMS_SENDER: '+12015550123' }],
] as const) {
  test(`rejects a messaging provider without ${what}`, () => {
    assert.throws(
      () => loadConfig({ ...MINIMAL_ENV, ...env }),
      (error: unknown) => error instanceof ConfigError && !error.message.includes('name:secret'),
    )
  })
}

test('accepts an RBAC_POLICY in the shape of the default one', () => {
  const policy = loadConfig(MINIMAL_ENV).rbacPolicy
  assert.deepEqual(loadConfig({ ...MINIMAL_ENV, RBAC_POLICY: JSON.stringify(policy) }).rbacPolicy, policy)
})

for (const [name, value] of [
  ['KEY_ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
  ['KEY_ENCRYPTION_KEY', 'secret'],
  ['INTERNAL_KEY', 'x'.repeat(31)],
  ['ALLOWED_ORIGINS', 'https://a.example/path'],
  ['ALLOWED_ORIGINS', '*'],
  ['LOGIN_REDIRECT_URLS', '/authenticate'],
  ['LOGIN_REDIRECT_URLS', 'javascript:alert(1)'],
  ['RBAC_POLICY', '{'],
  ['RBAC_POLICY', '{"roles":[{"role_id":1}],"resources":[],"scopes":[]}'],
  ['COOKIES', 'none'],
  ['SECOND_FACTOR', 'maybe'],
  ['ARGON2_PASSES', '0'],
  ['SMTP_URL', 'https://mail.example'],
  ['TEXT_COUNTRIES', 'US,Germany'],
  ['TEXT_INTERVAL_S', '1'],
  ['TEXT_API_URL', 'smtp://texts.example'],
] as const) {
  test(`rejects ${name}=${value.slice(0, 24)} without repeating the value`, () => {
    assert.throws(
      () => loadConfig({ ...MINIMAL_ENV, [name]: value }),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.message.includes(name) &&
        !error.message.includes(`${name} ${value}`),
    )
  })
}

test('offers wallets of both kinds, some or none', () => {
  const typesOf = (value?: string) =>
    loadConfig({ ...MINIMAL_ENV, ...(value !== undefined && { WALLET_TYPES: value }) }).walletTypes
  assert.deepEqual(typesOf(), ['ethereum', 'solana'])
  assert.deepEqual(typesOf('solana, ethereum'), ['ethereum', 'solana'])
  assert.deepEqual(typesOf('solana'), ['solana'])
  assert.deepEqual(typesOf('none'), [])
  for (const value of ['bitcoin', 'ethereum,bitcoin', 'none,solana', 'Ethereum']) {
    assert.throws(() => typesOf(value), /WALLET_TYPES must be none, or some of ethereum, solana/, value)
  }
})
