import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_CHANGED, rememberChosen } from '#shared/files/file-changes.ts'
import { ReadError } from '#shared/files/read-error.ts'
import { WorkerUnavailableError } from '#shared/files/reader-client.ts'
import { aPreview } from '#testing/a-preview.ts'
import { createFileReader } from './file-reader.ts'
import type { ParseResult, ParseTask } from './parse-protocol.ts'

const result: ParseResult = { preview: aPreview({ completeLaps: 1, sampleRateHz: 4 }), sizeBytes: 3 }
const file = new File(['abc'], 'lap.ibt')

function harness(preview: 'browser' | 'server', error?: Error) {
  const tasks: ParseTask[] = []
  let posts = 0
  const reader = createFileReader({
    config: async () => ({ preview }),
    parse: {
      run: async task => {
        tasks.push(task)
        if (error) throw error
        return result
      },
    },
    postFromPage: async () => {
      posts++
      return result
    },
  })
  return { reader, tasks, posts: () => posts }
}

test('reads a file in the browser and sends nothing', async () => {
  const { reader, tasks, posts } = harness('browser')
  assert.equal(await reader.readFile(file, { canSend: true }), result)
  assert.deepEqual(tasks, [{ kind: 'file', file }])
  assert.equal(posts(), 0)
})

test('lets the server read it if the operator wants that', async () => {
  const { reader, tasks, posts } = harness('server')
  assert.equal(await reader.readFile(file, { canSend: true }), result)
  assert.deepEqual(tasks, [{ kind: 'server', file, name: 'lap.ibt' }])
  assert.equal(posts(), 0)
})

test('reads a file that is opened without saving in the browser, or not at all', async () => {
  const { reader, tasks } = harness('server')
  assert.equal(await reader.readFile(file, { canSend: false }), result)
  assert.deepEqual(tasks, [{ kind: 'file', file }])
  for (const preview of ['browser', 'server'] as const) {
    const unable = harness(preview, new WorkerUnavailableError())
    await assert.rejects(unable.reader.readFile(file, { canSend: false }), WorkerUnavailableError)
    assert.equal(unable.posts(), 0)
  }
})

test('posts the file once from the page if no worker can start', async () => {
  for (const preview of ['browser', 'server'] as const) {
    const { reader, posts } = harness(preview, new WorkerUnavailableError())
    assert.equal(await reader.readFile(file, { canSend: true }), result)
    assert.equal(posts(), 1)
  }
})

test('does not send a file to the server that the reader has refused', async () => {
  const { reader, posts } = harness('browser', new ReadError('ibt.empty', 'This file is empty.'))
  await assert.rejects(reader.readFile(file, { canSend: true }), { code: 'ibt.empty' })
  assert.equal(posts(), 0)
})

test('reports a file that changed on disk, whether it was read, refused or not sent', async () => {
  const failures = [
    undefined,
    new ReadError('ibt.truncated', 'This file is cut short.'),
    new WorkerUnavailableError(),
    new TypeError('Failed to fetch'),
  ]
  for (const failure of failures) {
    const changed = new File(['abc'], 'lap.ibt', { lastModified: 1000 })
    rememberChosen([changed])
    Object.defineProperty(changed, 'lastModified', { value: 2000 })
    const { reader } = harness('browser', failure)
    await assert.rejects(reader.readFile(changed, { canSend: true }), {
      code: 'page.file_changed',
      message: FILE_CHANGED,
    })
  }
})

test('does not report a cancelled reading as a change of the file', async () => {
  const changed = new File(['abc'], 'lap.ibt', { lastModified: 1000 })
  rememberChosen([changed])
  Object.defineProperty(changed, 'lastModified', { value: 2000 })
  const reason = new DOMException('Another file was chosen.', 'AbortError')
  const { reader } = harness('browser', reason)
  await assert.rejects(reader.readFile(changed, { canSend: true, signal: AbortSignal.abort(reason) }), reason)
})
