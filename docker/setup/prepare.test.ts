import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('lists all missing variables and exits with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'prepare.ts')], {
    env: { S3_BUCKET: 'lapwing' },
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.equal(status, 2)
  for (const name of ['DATABASE_OWNER_URL', 'S3_ENDPOINT', 'ALLOWED_ORIGINS', 'LEADERBOARD_PASSWORD'])
    assert.match(stderr, new RegExp(`${name} is missing`))
  assert.doesNotMatch(stderr, /S3_BUCKET|\n {4}at /)
})
