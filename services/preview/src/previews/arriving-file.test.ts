import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createArrivingFile, GivenUp, notifyProgress, openArrivingSource, TooSlow } from './arriving-file.ts'

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => 1 + (i % 255))

function anArrivingFile(t: TestContext, written: number, maxWaitMs = 60_000) {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-preview-test-'))
  const file = createArrivingFile(join(folder, 'file'), 2000)
  writeFileSync(file.path, bytes.subarray(0, written))
  notifyProgress(file, written)
  const source = openArrivingSource(file, maxWaitMs)
  t.after(() => {
    source.close()
    rmSync(folder, { recursive: true })
  })
  return { file, source }
}

test('reads written bytes immediately, in a source of the largest possible size', t => {
  const { source } = anArrivingFile(t, 500)
  assert.equal(source.size, 2000)
  const target = new Uint8Array(100)
  assert.equal(source.read(400, target), 100)
  assert.deepEqual(target, bytes.slice(400, 500))
})

test('reads zeros after the end of a whole file, up to the largest possible size', t => {
  const { file, source } = anArrivingFile(t, 1000)
  notifyProgress(file, 'whole')
  const target = new Uint8Array(300).fill(255)
  assert.equal(source.read(900, target), 300)
  assert.deepEqual(target.subarray(0, 100), bytes.slice(900))
  assert.ok(target.subarray(100).every(byte => byte === 0))
  assert.equal(source.read(1900, target), 100)
  assert.equal(source.read(2000, target), 0)
  source.waitForWhole()
})

test('throws TooSlow after waiting in total for its time, over all reads', t => {
  const { source } = anArrivingFile(t, 500, 50)
  const start = performance.now()
  assert.throws(() => source.read(450, new Uint8Array(100)), TooSlow)
  assert.throws(() => source.read(450, new Uint8Array(100)), TooSlow)
  assert.throws(() => source.waitForWhole(), TooSlow)
  assert.ok(performance.now() - start >= 45)
  assert.equal(source.read(400, new Uint8Array(100)), 100)
})

test('throws GivenUp without waiting', t => {
  const { file, source } = anArrivingFile(t, 500)
  notifyProgress(file, 'givenUp')
  assert.throws(() => source.read(0, new Uint8Array(1)), GivenUp)
  assert.throws(() => source.waitForWhole(), GivenUp)
})

test('wakes a waiting thread when its bytes are there, and when the file is whole', async t => {
  const { file } = anArrivingFile(t, 500)
  const thread = new Worker(new URL('../test/read-arriving.ts', import.meta.url), { workerData: file })
  t.after(() => thread.terminate())
  const read = new Promise<Uint8Array>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject)
  })
  appendFileSync(file.path, bytes.subarray(500, 800))
  notifyProgress(file, 800)
  appendFileSync(file.path, bytes.subarray(800))
  notifyProgress(file, 1000)
  notifyProgress(file, 'whole')
  assert.deepEqual(await read, bytes)
})
