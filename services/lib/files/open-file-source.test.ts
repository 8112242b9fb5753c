import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFileSource } from './open-file-source.ts'

function fileOf(t: TestContext, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'bytes')
  writeFileSync(path, bytes)
  return path
}

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 7)

function opened(t: TestContext, path: string) {
  const source = openFileSource(path)
  t.after(() => source.close())
  return source
}

test('reads any part of the file into the target', t => {
  const source = opened(t, fileOf(t, bytes))
  assert.equal(source.size, 1000)
  const target = new Uint8Array(100)
  for (const offset of [0, 1, 500, 900]) {
    assert.equal(source.read(offset, target), 100)
    assert.deepEqual(target, bytes.slice(offset, offset + 100))
  }
})

test('fills less only at the end of the file, and nothing beyond it', t => {
  const source = opened(t, fileOf(t, bytes))
  const target = new Uint8Array(100).fill(255)
  assert.equal(source.read(950, target), 50)
  assert.deepEqual(target.subarray(0, 50), bytes.slice(950))
  assert.ok(target.subarray(50).every(byte => byte === 255))
  assert.equal(source.read(1000, target), 0)
  assert.equal(source.read(5000, target), 0)
})

test('writes into a view at its own offset in the buffer', t => {
  const source = opened(t, fileOf(t, bytes))
  const buffer = new Uint8Array(30)
  source.read(10, buffer.subarray(10, 20))
  assert.deepEqual(buffer.subarray(10, 20), bytes.slice(10, 20))
  assert.ok(buffer.subarray(0, 10).every(byte => byte === 0))
  assert.ok(buffer.subarray(20).every(byte => byte === 0))
})

test('returns a short read for a file cut while it is open', t => {
  const path = fileOf(t, bytes)
  const source = opened(t, path)
  truncateSync(path, 600)
  assert.equal(source.read(550, new Uint8Array(100)), 50)
})

test('throws for a file that does not exist', () => {
  assert.throws(() => openFileSource(join(tmpdir(), 'lapwing-no-such-file')), { code: 'ENOENT' })
})

test('allows a second close, and no read after it', t => {
  const source = openFileSource(fileOf(t, bytes))
  source.close()
  source.close()
  assert.throws(() => source.read(0, new Uint8Array(1)), /closed/)
})
