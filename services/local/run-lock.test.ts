import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { acquireRunLock } from './run-lock.ts'

// The process of this test plays a run: it is alive, and its command line has this program.
const mine = { pid: process.pid, command: basename(process.argv[1]!) }

test('returns the holder of the lock to a second run', t => {
  const file = lockFile(t)
  const first = acquireRunLock(file, mine)
  assert.ok('release' in first)
  assert.deepEqual(acquireRunLock(file, { pid: process.ppid, command: 'node' }), { heldBy: mine })
  first.release()
  assert.ok('release' in acquireRunLock(file, mine))
})

test('replaces a lock if its process is gone', t => {
  const file = lockFile(t)
  // No 64-bit Linux or macOS uses process ids as large.
  writeFileSync(file, JSON.stringify({ ...mine, pid: 2 ** 30 }))
  assert.ok('release' in acquireRunLock(file, mine))
})

test('replaces a lock if its process id now belongs to another program', t => {
  const file = lockFile(t)
  writeFileSync(file, JSON.stringify({ pid: process.ppid, command: 'a command line nobody has' }))
  assert.ok('release' in acquireRunLock(file, mine))
})

test('replaces a damaged lock file', t => {
  for (const text of ['', '{', '{"pid":"x"}']) {
    const file = lockFile(t)
    writeFileSync(file, text)
    assert.ok('release' in acquireRunLock(file, mine), text)
  }
})

test('removes its file when released, but never the lock of another run', t => {
  const file = lockFile(t)
  const lock = acquireRunLock(file, mine)
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
