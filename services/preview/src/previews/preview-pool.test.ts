import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AppError } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import { aSession } from '../test/a-session.ts'
import {
  createPreviewPool,
  PreviewCancelled,
  type PreviewPool,
  type PreviewPoolOptions,
} from './preview-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'lapwing-preview-test-'))
after(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const good = fileOf('good', aSession())
const format = { representation: 'json', encoding: 'identity' } as const
const never = new AbortController().signal

function aPool(t: { after(fn: () => Promise<void>): void }, options: Partial<PreviewPoolOptions> = {}) {
  const pool = createPreviewPool({
    workers: 1,
    maxWaiting: 4,
    workerHeapMb: 64,
    timeoutMs: 60_000,
    workerModule: new URL('../test/faulty-worker.ts', import.meta.url),
    ...options,
  })
  t.after(() => pool.close())
  return pool
}

/** Pools of several tests, because each start of a thread loads the reader. Each test leaves them usable. */
const pool = aPool({ after })
const impatient = aPool({ after }, { timeoutMs: 4000, maxWaiting: 1 })

/** Waits until the threads have started, which can take longer than a short time-out on a busy machine. */
async function warmUp(pool: PreviewPool): Promise<void> {
  while (true) {
    const answer = await pool.read(good, format, never).catch(() => null)
    if (answer !== null) return
  }
}

const failed = (error: unknown) => error instanceof AppError && error.code === 'preview.failed'
const busy = (error: unknown) =>
  error instanceof AppError && error.code === 'preview.busy' && Number(error.headers['retry-after']) > 0

for (const fault of ['exit', 'throw', 'throw later', 'fill the heap']) {
  test(`rejects with preview.failed for the fault "${fault}", and reads the next file`, async t => {
    const pool = aPool(t)
    const path = fileOf('fault', fault)
    if (fault !== 'throw later') await assert.rejects(pool.read(path, format, never), failed)
    // The file is no telemetry file, so that the fault comes after its answer.
    else await assert.rejects(pool.read(path, format, never), AppError)
    const { body } = await pool.read(good, format, never)
    assert.ok(body.byteLength > 1000)
    assert.equal(pool.isAlive(), true)
  })
}

for (const [thrown, workerModule, path, expected] of [
  ['outside the worker’s try block', '../test/faulty-worker.ts', fileOf('throw', 'throw'), /TypeError/],
  ['by the reader', './preview-worker.ts', join(folder, 'canary-no-such-file'), /Error ENOENT/],
] as const) {
  test(`does not pass on the message of an error thrown ${thrown}, because it may quote the file`, async t => {
    const pool = aPool(t, { workerModule: new URL(workerModule, import.meta.url) })
    await assert.rejects(pool.read(path, format, never), (error: unknown) => {
      assert.ok(error instanceof AppError && error.cause instanceof Error)
      assert.ok(!`${error.stack} ${error.cause.message} ${error.cause.stack}`.includes('canary'))
      assert.match(String(error.cause), expected)
      assert.match(String(error.cause.stack), /worker\.ts/)
      return true
    })
  })
}

test('stops a thread that does not end, and reads the next file', async () => {
  await warmUp(impatient)
  await assert.rejects(impatient.read(fileOf('fault', 'loop'), format, never), (error: unknown) => {
    assert.ok(failed(error))
    assert.match(String((error as AppError).cause), /more than 4000 ms/)
    return true
  })
  await until(() => impatient.isAlive(), 'the thread is replaced')
  assert.ok((await impatient.read(good, format, never)).body.byteLength > 1000)
})

test('rejects with preview.busy a file that waited too long, and files over the limit', async () => {
  await warmUp(impatient)
  const running = impatient.read(fileOf('fault', 'loop'), format, never)
  const waiting = impatient.read(good, format, never)
  const tooMany = impatient.read(good, format, never)
  await assert.rejects(tooMany, busy)
  await Promise.all([assert.rejects(running, failed), assert.rejects(waiting, busy)])
})

test('does not read a file whose request was cancelled', async () => {
  const gone = new AbortController()
  const first = pool.read(good, format, never)
  const second = pool.read(good, format, gone.signal)
  gone.abort()
  await assert.rejects(second, PreviewCancelled)
  assert.ok((await first).body.byteLength > 1000)
})

test('is not alive if its threads cannot start, and rejects files in time', async t => {
  const workerModule = new URL('../test/no-such-worker.ts', import.meta.url)
  const pool = aPool(t, { workerModule, timeoutMs: 1000 })
  await until(() => !pool.isAlive(), 'the pool has no thread')
  await assert.rejects(pool.read(good, format, never), busy)
})

for (const [name, content] of [
  ['a complete file', aSession()],
  ['a file that ends within a row', aSession({ cutBytes: 10 })],
  ['a file with its session text at the end', aSession({ order: ['variables', 'rows', 'session'] })],
] as const) {
  for (const moreBytes of [1, 300, 100_000]) {
    test(`answers the same for ${name} that is read while it arrives with up to ${moreBytes} more bytes`, async () => {
      const expected = await pool.read(fileOf('whole', content), format, never)
      const half = content.length >> 1
      const path = fileOf('arriving', content.subarray(0, half))
      const reading = pool.readAhead(path, content.length + moreBytes, format, never)!
      reading.wrote(half)
      appendFileSync(path, content.subarray(half))
      reading.wrote(content.length)
      const answer = await reading.whole()
      assert.equal(answer?.etag, expected.etag)
      assert.deepEqual(answer.body, expected.body)
    })
  }
}

test('reports the error of the whole file for a file that is read while it arrives', async () => {
  const reading = pool.readAhead(fileOf('arriving', 'no telemetry'), 5000, format, never)!
  await assert.rejects(reading.whole(), (error: unknown) => {
    return error instanceof AppError && error.code === 'preview.unreadable'
  })
})

test('frees the thread of a file that arrives too slowly, and reads the file when it is whole', async () => {
  const content = aSession()
  const path = fileOf('arriving', content.subarray(0, 1000))
  const reading = pool.readAhead(path, content.length + 300, format, never)!
  reading.wrote(1000)
  // The pool has only one thread.
  assert.ok((await pool.read(good, format, never)).body.byteLength > 1000)
  appendFileSync(path, content.subarray(1000))
  assert.equal(await reading.whole(), null)
  assert.ok((await pool.read(path, format, never)).body.byteLength > 1000)
})

test('frees the thread of a file that is given up', async () => {
  const reading = pool.readAhead(fileOf('arriving', 'some'), 5000, format, never)!
  reading.giveUp()
  assert.ok((await pool.read(good, format, never)).body.byteLength > 1000)
})

test('starts no early reading while another file needs the thread', async () => {
  const whole = pool.read(good, format, never)
  assert.equal(pool.readAhead(good, 5000, format, never), null)
  await whole
})

test('stops a thread that does not end after its file has arrived', async () => {
  await warmUp(impatient)
  const reading = impatient.readAhead(fileOf('fault', 'loop'), 5000, format, never)!
  await assert.rejects(reading.whole(), failed)
})
