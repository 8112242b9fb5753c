import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseEnv } from 'node:util'

test('keeps every secret in a second run, and writes a lost file again', t => {
  const folder = emptyFolder(t)
  makeSecrets(folder)
  const first = readAll(folder)
  rmSync(join(folder, 'identity.env'))
  makeSecrets(folder)
  assert.deepEqual(readAll(folder), first)
})

test('shares no secret between two installations', t => {
  const [one, other] = [emptyFolder(t), emptyFolder(t)]
  makeSecrets(one)
  makeSecrets(other)
  const secrets = [one, other].flatMap(folder =>
    Object.values(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Record<string, string>),
  )
  assert.ok(secrets.length >= 16)
  assert.equal(new Set(secrets).size, secrets.length)
})

test('gives each service its own role and no other password', t => {
  const folder = emptyFolder(t)
  makeSecrets(folder)
  const passwords = new Set<string>()
  for (const service of ['account', 'identity', 'upload', 'ingest', 'leaderboard']) {
    const { DATABASE_URL, INTERNAL_KEY } = parseEnv(readFileSync(join(folder, `${service}.env`), 'utf8'))
    const { username, password } = new URL(DATABASE_URL!)
    assert.equal(username, service)
    passwords.add(password)
    assert.equal(
      INTERNAL_KEY,
      parseEnv(readFileSync(join(folder, 'gateway.env'), 'utf8')).INTERNAL_KEY,
      'what they trust each other by is one',
    )
  }
  assert.equal(passwords.size, 5)
})

function makeSecrets(folder: string): void {
  execFileSync(process.execPath, [join(import.meta.dirname, 'make-secrets.ts'), folder])
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-secrets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function readAll(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}
