import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSecrets } from './secrets.ts'

test('creates each secret once, with 32 bytes of its own, in a file that only its owner may read', t => {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-secrets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'secrets.json')
  const secret = openSecrets(file)
  const first = secret('INTERNAL_KEY')
  const second = secret('KEY_ENCRYPTION_KEY')
  assert.notEqual(first, second)
  for (const value of [first, second]) assert.equal(Buffer.from(value, 'base64').length, 32)
  assert.equal(secret('INTERNAL_KEY'), first)
  assert.equal(openSecrets(file)('KEY_ENCRYPTION_KEY'), second)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['secrets.json'])
})

test('writes nothing before the first call', t => {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-secrets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openSecrets(join(folder, 'secrets.json'))
  assert.deepEqual(readdirSync(folder), [])
})
