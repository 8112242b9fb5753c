import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, loadDatabaseConfig, loadWorkerConfig, threadsFor } from './config.ts'

const MIB = 1024 * 1024

for (const [cores, mib, threads] of [
  [1, 4096, 1],
  [4, 16_384, 4],
  [4, 1024, 2],
  [64, 8192, 21],
  // A small machine needs a thread too.
  [4, 256, 1],
] as const) {
  test(`${cores} cores with ${mib} MiB give ${threads} judge threads`, () => {
    assert.equal(threadsFor({ cores, memoryBytes: mib * MIB }), threads)
  })
}

test('requires the variables of each process, and only the database of the migration', () => {
  const shared = ['DATABASE_URL', 'REDIS_URL', 'INTERNAL_KEY', 'LEADERBOARD_URL']
  const store = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  assert.deepEqual(missing(loadDatabaseConfig), ['DATABASE_URL'])
  assert.deepEqual(missing(loadConfig), [...shared, ...store, 'UPLOAD_URL'].sort())
  assert.deepEqual(missing(loadWorkerConfig), [...shared, ...store].sort())
})

/** Returns the names of the variables that are missing in an empty environment. */
function missing(load: (env: Readonly<Record<string, string>>) => unknown): string[] {
  try {
    load({})
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems.map(problem => /^(\w+) is missing/.exec(problem)?.[1] ?? problem).sort()
  }
}
