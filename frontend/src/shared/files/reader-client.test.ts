import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadError } from './read-error.ts'
import { createReaderClient, type WorkerLike, WorkerUnavailableError } from './reader-client.ts'
import type { ReaderMessage, ReaderRequest } from './reader-protocol.ts'

interface Result {
  readonly laps: number
}

const result: Result = { laps: 9 }
const task = 'a file'

class FakeWorker implements WorkerLike<string, Result> {
  sent: ReaderRequest<string>[] = []
  ended = false
  onmessage: WorkerLike<string, Result>['onmessage'] = null
  onerror: WorkerLike<string, Result>['onerror'] = null
  onmessageerror: WorkerLike<string, Result>['onmessageerror'] = null
  postMessage(message: ReaderRequest<string>) {
    this.sent.push(message)
  }
  terminate() {
    this.ended = true
  }
  say(data: ReaderMessage<Result>) {
    this.onmessage?.({ data })
  }
  /** The id of the job that the worker received last. */
  get job() {
    return this.sent.at(-1)!.job
  }
}

function harness() {
  const workers: FakeWorker[] = []
  const timers = new Set<() => void>()
  const client = createReaderClient<string, Result>({
    spawn: () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    after: (_ms, callback) => {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  })
  const ring = () => {
    for (const callback of timers) callback()
  }
  return { client, workers, ring }
}

test('reads file after file with one worker, started ahead, and reports progress', async () => {
  const { client, workers } = harness()
  client.warmUp()
  client.warmUp()
  const [worker] = workers
  worker!.say({ kind: 'ready' })
  for (let i = 0; i < 2; i++) {
    const shares: number[] = []
    const answer = client.run(task, { onProgress: share => shares.push(share) })
    worker!.say({ kind: 'progress', job: worker!.job, share: 0.5 })
    worker!.say({ kind: 'done', job: worker!.job, result })
    assert.equal(await answer, result)
    assert.deepEqual(shares, [0.5])
  }
  assert.equal(workers.length, 1)
  assert.equal(worker!.ended, false)
})

test('ends the first file when a second comes, and ignores the late answer', async () => {
  const { client, workers } = harness()
  const first = client.run(task)
  const firstJob = workers[0]!.job
  const second = client.run(task)
  await assert.rejects(first, { name: 'AbortError' })
  assert.equal(workers[0]!.ended, true)
  const other = { ...result, laps: 1 }
  workers[0]!.say({ kind: 'done', job: firstJob, result: other })
  workers[1]!.say({ kind: 'done', job: firstJob, result: other })
  workers[1]!.say({ kind: 'done', job: workers[1]!.job, result })
  assert.equal(await second, result)
})

test('ends the worker immediately when cancelled, and starts a new one for the next file', async () => {
  const { client, workers } = harness()
  const stop = new AbortController()
  const answer = client.run(task, { signal: stop.signal })
  stop.abort(new Error('cancelled'))
  await assert.rejects(answer, { message: 'cancelled' })
  assert.equal(workers[0]!.ended, true)
  const next = client.run(task)
  workers[1]!.say({ kind: 'done', job: workers[1]!.job, result })
  assert.equal(await next, result)
})

test('does not begin a file that is cancelled already', async () => {
  const { client, workers } = harness()
  await assert.rejects(client.run(task, { signal: AbortSignal.abort(new Error('too late')) }), {
    message: 'too late',
  })
  assert.equal(workers.length, 0)
})

test('passes on the reader’s refusal with its code and its sentence', async () => {
  const { client, workers } = harness()
  const answer = client.run(task)
  workers[0]!.say({ kind: 'failed', job: workers[0]!.job, code: 'ibt.empty', message: 'This file is empty.' })
  await assert.rejects(answer, error => {
    assert.ok(error instanceof ReadError)
    assert.deepEqual([error.code, error.message], ['ibt.empty', 'This file is empty.'])
    return true
  })
})

test('reports a worker that dies while it reads, and does not fall back to the server', async () => {
  const { client, workers } = harness()
  const answer = client.run(task)
  workers[0]!.say({ kind: 'ready' })
  workers[0]!.onerror?.({})
  await assert.rejects(answer, { name: 'ReadError', code: 'page.reader_stopped' })
  const next = client.run(task)
  workers[1]!.say({ kind: 'done', job: workers[1]!.job, result })
  assert.equal(await next, result)
})

test('reports a worker that cannot start with its own error, so that the server can read the file', async () => {
  const refused = createReaderClient({
    spawn: () => {
      throw new DOMException('blocked', 'SecurityError')
    },
    after: () => () => {},
  })
  refused.warmUp()
  await assert.rejects(refused.run(task), WorkerUnavailableError)

  const unloadable = harness()
  const answer = unloadable.client.run(task)
  unloadable.workers[0]!.onerror?.({})
  await assert.rejects(answer, WorkerUnavailableError)

  const silent = harness()
  const noAnswer = silent.client.run(task)
  silent.ring()
  await assert.rejects(noAnswer, WorkerUnavailableError)
})

test('does not limit the reading by the worker’s time to start', async () => {
  const { client, workers, ring } = harness()
  const answer = client.run(task)
  workers[0]!.say({ kind: 'ready' })
  ring()
  workers[0]!.say({ kind: 'done', job: workers[0]!.job, result })
  assert.equal(await answer, result)
})
