import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, loadMigrationConfig } from './config.ts'
import { subscribersIn } from './deps.ts'

const DATABASE_URL = 'postgres://account:x@localhost/lapwing'

test('reads the database and an optional leaderboard for the migration', () => {
  const alone = loadMigrationConfig({ DATABASE_URL })
  assert.equal(alone.databaseUrl.href, DATABASE_URL)
  assert.equal(alone.leaderboardUrl, null)
  const both = loadMigrationConfig({ DATABASE_URL, LEADERBOARD_URL: 'http://leaderboard:8084' })
  assert.equal(both.leaderboardUrl?.origin, 'http://leaderboard:8084')
})

test('rejects a configuration without a database', () => {
  assert.deepEqual(missing(loadMigrationConfig), ['DATABASE_URL'])
  assert.deepEqual(missing(loadConfig), ['DATABASE_URL', 'INTERNAL_KEY', 'IDENTITY_URL', 'PUBLIC_ORIGIN'])
})

test('never sends events to a hosted identity provider, even if its address is configured', () => {
  const subscriberNames = (env: Readonly<Record<string, string>>) =>
    subscribersIn(
      loadConfig({
        DATABASE_URL,
        INTERNAL_KEY: 'k'.repeat(32),
        PUBLIC_ORIGIN: 'https://lapwing.example',
        LEADERBOARD_URL: 'http://leaderboard:8084',
        ...env,
      }),
    ).map(({ name }) => name)
  assert.deepEqual(subscriberNames({ IDENTITY_URL: 'http://identity:8086' }), ['identity', 'leaderboard'])
  for (const env of [{}, { IDENTITY_URL: 'https://id.provider.example' }]) {
    assert.deepEqual(subscriberNames({ ...env, IDENTITY_HOSTED: 'true' }), ['leaderboard'])
  }
})

/** Returns the names of the variables that an empty environment lacks. */
function missing(load: (env: Readonly<Record<string, string>>) => unknown): string[] {
  try {
    load({})
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems.map(problem => /^(\w+) is missing/.exec(problem)?.[1] ?? problem)
  }
}
