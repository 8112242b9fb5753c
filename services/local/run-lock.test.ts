import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { takeRunLock } from './run-lock.ts'

// The process of this test stands for a run: it is alive and its command line names this file.
const mine = { pid: process.pid, command: 'run-lock.test.ts' }

test('the second of two runs learns who holds the lock', t => {
  const file = lockFile(t)
  const first = takeRunLock(file, mine)
  assert.ok('release' in first)
  assert.deepEqual(takeRunLock(file, { pid: process.ppid, command: 'node' }), { heldBy: mine })
  first.release()
  assert.ok('release' in takeRunLock(file, mine))
})

test('a lock whose process is gone is taken over', t => {
  const file = lockFile(t)
  // The largest id a 64-bit Linux or macOS gives out is far below this.
  writeFileSync(file, JSON.stringify({ pid: 2 ** 30, command: 'run-lock.test.ts' }))
  assert.ok('release' in takeRunLock(file, mine))
})

test('a lock whose process id now belongs to another program is taken over', t => {
  const file = lockFile(t)
  writeFileSync(file, JSON.stringify({ pid: process.ppid, command: 'a command line nobody has' }))
  assert.ok('release' in takeRunLock(file, mine))
})

test('a lock file that is damaged is taken over', t => {
  for (const text of ['', '{', '{"pid":"x"}']) {
    const file = lockFile(t)
    writeFileSync(file, text)
    assert.ok('release' in takeRunLock(file, mine), text)
  }
})

test('releasing leaves no file, and never removes the lock of another run', t => {
  const file = lockFile(t)
  const lock = takeRunLock(file, mine)
  assert.ok('release' in lock)
  lock.release()
  assert.deepEqual(readdirSync(join(file, '..')), [])
  writeFileSync(file, JSON.stringify({ pid: process.ppid, command: 'node' }))
  lock.release()
  assert.deepEqual(readdirSync(join(file, '..')), ['run.lock'])
})

function lockFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'run.lock')
}
