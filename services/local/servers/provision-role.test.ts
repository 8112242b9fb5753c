import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePorts } from '@lapwing/dev-servers/free-port'

test('reports a silent database in one sentence, without a stack trace or a password', async () => {
  const [port] = await freePorts(1)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'provision-role.ts')],
    {
      env: {
        DATABASE_OWNER_URL: `postgres://postgres:hidden-1@127.0.0.1:${port}/postgres`,
        DATABASE_URL: `postgres://account:hidden-2@127.0.0.1:${port}/postgres`,
      },
      encoding: 'utf8',
      timeout: 30_000,
    },
  )
  assert.equal(status, 1)
  assert.equal(
    stdout + stderr,
    `The role "account" could not be created in the database: connect ECONNREFUSED 127.0.0.1:${port}\n`,
  )
})
