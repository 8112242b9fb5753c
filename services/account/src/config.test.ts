import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, loadMigrationConfig } from './config.ts'
import { subscribersIn } from './deps.ts'

const DATABASE_URL = 'postgres://account:x@localhost/lapwing'

test('the migration is told the database, and leaderboard where there is one', () => {
  const alone = loadMigrationConfig({ DATABASE_URL })
  assert.equal(alone.databaseUrl.href, DATABASE_URL)
  assert.equal(alone.leaderboardUrl, null)
  const told = loadMigrationConfig({ DATABASE_URL, LEADERBOARD_URL: 'http://leaderboard:8084' })
  assert.equal(told.leaderboardUrl?.origin, 'http://leaderboard:8084')
})

test('without a database neither the migration nor the service starts', () => {
  assert.deepEqual(missing(loadMigrationConfig), ['DATABASE_URL'])
  assert.deepEqual(missing(loadConfig), ['DATABASE_URL', 'INTERNAL_KEY', 'IDENTITY_URL', 'PUBLIC_ORIGIN'])
})

test('a hosted identity provider is told nothing of anybody, also where its address is known', () => {
  const told = (env: Readonly<Record<string, string>>) =>
    subscribersIn(
      loadConfig({
        DATABASE_URL,
        INTERNAL_KEY: 'k'.repeat(32),
        PUBLIC_ORIGIN: 'https://lapwing.example',
        LEADERBOARD_URL: 'http://leaderboard:8084',
        ...env,
      }),
    ).map(({ name }) => name)
  assert.deepEqual(told({ IDENTITY_URL: 'http://identity:8086' }), ['identity', 'leaderboard'])
  for (const env of [{}, { IDENTITY_URL: 'https://id.provider.example' }]) {
    assert.deepEqual(told({ ...env, IDENTITY_HOSTED: 'true' }), ['leaderboard'])
  }
})

/** Names of the variables that are missing where nothing is told. */
function missing(load: (env: Readonly<Record<string, string>>) => unknown): string[] {
  try {
    load({})
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems.map(problem => /^(\w+) is missing/.exec(problem)?.[1] ?? problem)
  }
}
