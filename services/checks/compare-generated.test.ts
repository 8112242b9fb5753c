import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { differences } from './compare-generated.ts'

test('returns the files that differ or are on one side only', t => {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-differences-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const side of ['left', 'right']) {
    write(`${side}/same.ts`, 'same')
    write(`${side}/deep/changed.ts`, side)
  }
  write('left/removed.ts', '')
  write('right/new.ts', 'new')
  assert.deepEqual(differences(join(folder, 'left'), join(folder, 'right')), [
    'deep/changed.ts',
    'new.ts',
    'removed.ts',
  ])
})
