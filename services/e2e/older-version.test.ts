import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportOlderVersion, hasOlderVersion, OLDER_COMMIT } from '@lapwing/kube/older-version'

/** Tests of the older version that run most statements of each service. */
const STATEMENTS = {
  account: 'usernames/username.test.ts',
  identity: 'sessions/session.test.ts',
  upload: 'uploads/complete-upload.test.ts',
  ingest: 'laps/laps.test.ts',
  leaderboard: 'standings/standing.test.ts',
} as const

const rootDir = join(import.meta.dirname, '../..')

test('lets the version before run on the schemas of this one, as during a deploy or after a rollback', {
  skip: hasOlderVersion(rootDir) ? false : `this clone does not have the commit ${OLDER_COMMIT}`,
}, t => {
  const dir = checkOutOlder(t)
  for (const service of Object.keys(STATEMENTS)) {
    const migrations = join(dir, 'services', service, 'migrations')
    rmSync(migrations, { recursive: true })
    cpSync(join(rootDir, 'services', service, 'migrations'), migrations, { recursive: true })
  }
  const files = Object.entries(STATEMENTS).map(([service, file]) => `services/${service}/src/${file}`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    // One process: no cache has the code of this folder, and all files share most of it.
    ['--test', '--test-isolation=none', '--test-reporter=tap', ...files],
    { cwd: dir, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  assert.equal(status, 0, stdout)
  assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) >= 100, 'it runs the tests')
})

/** Checks the older version out into a temporary folder, with the packages of this one. */
function checkOutOlder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-older-'))
  t.after(() => rmSync(dir, { recursive: true }))
  exportOlderVersion(rootDir, dir, ['services', 'openapi', 'package.json'])
  const packages = join(rootDir, 'node_modules')
  const own = join(dir, 'node_modules')
  mkdirSync(join(own, '@lapwing'), { recursive: true })
  for (const name of readdirSync(packages)) {
    if (name !== '@lapwing') symlinkSync(join(packages, name), join(own, name))
  }
  // Relative links, which lead to the folders of the older version.
  for (const name of readdirSync(join(packages, '@lapwing'))) {
    symlinkSync(readlinkSync(join(packages, '@lapwing', name)), join(own, '@lapwing', name))
  }
  for (const nested of ['.tools', 'services/lib/object-store/node_modules']) {
    if (existsSync(join(rootDir, nested))) symlinkSync(join(rootDir, nested), join(dir, nested))
  }
  return dir
}
