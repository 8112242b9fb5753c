import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFileSource } from './file-source.ts'

test('bytes are read from their offset, fewer where the file ends', t => {
  const folder = mkdtempSync(join(tmpdir(), 'file-source-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'ten.bin')
  writeFileSync(
    path,
    Uint8Array.from({ length: 10 }, (_, i) => i),
  )
  const source = openFileSource(path)
  t.after(() => source.close())

  const target = new Uint8Array(4)
  assert.equal(source.size, 10)
  assert.equal(source.read(3, target), 4)
  assert.deepEqual([...target], [3, 4, 5, 6])
  assert.equal(source.read(8, target), 2)
  assert.equal(source.read(10, target), 0)
})
