import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readEnv } from '@lapwing/config'
import { oauthEnv, readOAuthSettings } from './config.ts'

const read = (env: Record<string, string>) =>
  readOAuthSettings({ ...readEnv(oauthEnv, env), publicOrigin: new URL('https://lapwing.test/') })

test('offers no provider without credentials', () => {
  assert.equal(read({}).clients.size, 0)
  assert.equal(read({}).callbackOrigin, 'https://lapwing.test')
  assert.equal(read({}).timeoutMs, 5_000)
})

test('uses the addresses of the table, or the operator’s', () => {
  const { clients } = read({
    OAUTH_DISCORD_CLIENT_ID: 'id',
    OAUTH_DISCORD_CLIENT_SECRET: 'secret',
    OAUTH_DISCORD_TOKEN_URL: 'http://127.0.0.1:8087/discord/token',
  })
  assert.deepEqual([...clients.keys()], ['discord'])
  const discord = clients.get('discord')!
  assert.equal(discord.clientId, 'id')
  assert.equal(discord.authorizeUrl, 'https://discord.com/oauth2/authorize')
  assert.equal(discord.tokenUrl, 'http://127.0.0.1:8087/discord/token')
})

test('reads Apple’s key with line ends written as \\n', () => {
  const { clients } = read({
    OAUTH_APPLE_CLIENT_ID: 'test.lapwing.web',
    OAUTH_APPLE_CLIENT_SECRET: '-----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----',
    OAUTH_APPLE_TEAM_ID: 'TEAM123456',
    OAUTH_APPLE_KEY_ID: 'KEY1234567',
  })
  assert.deepEqual(clients.get('apple')!.apple, { teamId: 'TEAM123456', keyId: 'KEY1234567' })
  assert.equal(clients.get('apple')!.clientSecret.split('\n').length, 3)
})

for (const [name, env, problem] of [
  ['an id without a secret', { OAUTH_GOOGLE_CLIENT_ID: 'id' }, /^OAUTH_GOOGLE_CLIENT_SECRET is missing/],
  ['a secret without an id', { OAUTH_GITHUB_CLIENT_SECRET: 's' }, /^OAUTH_GITHUB_CLIENT_ID is missing/],
  [
    'Apple without its key’s id',
    { OAUTH_APPLE_CLIENT_ID: 'a', OAUTH_APPLE_CLIENT_SECRET: 'b', OAUTH_APPLE_TEAM_ID: 'c' },
    /^OAUTH_APPLE_KEY_ID is missing/,
  ],
  [
    'a callback origin with a path',
    { OAUTH_CALLBACK_ORIGIN: 'https://a.test/x' },
    /^OAUTH_CALLBACK_ORIGIN must/,
  ],
  ['an invalid callback origin', { OAUTH_CALLBACK_ORIGIN: 'a.test' }, /^OAUTH_CALLBACK_ORIGIN must/],
  [
    'an invalid address',
    { OAUTH_GOOGLE_CLIENT_ID: 'a', OAUTH_GOOGLE_CLIENT_SECRET: 'b', OAUTH_GOOGLE_TOKEN_URL: 'file:///etc' },
    /^OAUTH_GOOGLE_TOKEN_URL must be an http/,
  ],
] as const) {
  test(`rejects ${name} and names the variable`, () => {
    assert.throws(
      () => read(env),
      (error: unknown) => error instanceof ConfigError && problem.test(error.problems.join('\n')),
    )
  })
}
