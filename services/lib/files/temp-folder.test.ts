import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { diskLevels } from './disk-levels.ts'
import { createTempFolder } from './temp-folder.ts'

function createParent(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'lapwing-files-test-'))
  t.after(() => rmSync(parent, { recursive: true }))
  return parent
}

/** Id of a process that has just ended. */
const endedPid = spawnSync(process.execPath, ['-p', '0']).pid

test('creates a folder and files that only this user can read', async t => {
  const folder = await createTempFolder(createParent(t), 'preview')
  assert.equal(statSync(folder.path).mode & 0o777, 0o700)
  assert.notEqual(folder.newPath(), folder.newPath())
  assert.equal(await folder.isWritable(), true)
  assert.deepEqual(readdirSync(folder.path), [])
})

test('removes the folder of an ended process, and no others', async t => {
  const parent = createParent(t)
  const host = hostname().replace(/[^A-Za-z0-9.]/g, '_')
  const left = join(parent, `lapwing-preview-${host}-${endedPid}-abc123`)
  const beforeRestart = join(parent, `lapwing-preview-${host}-${process.pid}-abc123`)
  const parents = join(parent, `lapwing-preview-${host}-${process.ppid}-abc123`)
  const elsewhere = join(parent, `lapwing-preview-elsewhere-${endedPid}-abc123`)
  const others = join(parent, `lapwing-ingest-${host}-${endedPid}-abc123`)
  const foreign = join(parent, 'lapwing-preview-notes')
  for (const path of [left, beforeRestart, parents, elsewhere, others, foreign]) {
    mkdirSync(path)
    writeFileSync(join(path, 'file'), 'x')
  }
  const first = await createTempFolder(parent, 'preview')
  const second = await createTempFolder(parent, 'preview')
  for (const gone of [left, beforeRestart]) assert.equal(existsSync(gone), false, gone)
  for (const kept of [parents, elsewhere, others, foreign, first.path, second.path]) {
    assert.ok(existsSync(kept), kept)
  }
})

test('reports the free and the total bytes of its disk', async t => {
  const [level] = diskLevels(createParent(t))
  const values = Object.fromEntries((await level!.read()).map(({ labels, value }) => [labels.state, value]))
  assert.ok(values.free! > 0)
  assert.ok(values.total! > values.free!)
})

test('reports a missing or read-only folder as not writable', async t => {
  const folder = await createTempFolder(createParent(t), 'preview')
  if (process.getuid?.() !== 0) {
    chmodSync(folder.path, 0o500)
    assert.equal(await folder.isWritable(), false)
    chmodSync(folder.path, 0o700)
  }
  rmSync(folder.path, { recursive: true })
  assert.equal(await folder.isWritable(), false)
})

test('removes the folder with its files, also twice', async t => {
  const folder = await createTempFolder(createParent(t), 'preview')
  writeFileSync(folder.newPath(), 'x')
  await folder.remove()
  folder.removeNow()
  await folder.removeFile(folder.newPath())
  assert.equal(existsSync(folder.path), false)
})
