import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aSession } from './test/a-session.ts'
import { form } from './test/form.ts'
import { checkUnharmed, previewPath } from './test/harness.ts'
import { startProcess } from './test/start-process.ts'

const { boundary, chunks } = form([{ name: 'file', fileName: 'session.ibt', content: aSession() }])
const body = Buffer.concat([...chunks])
const head = `POST ${previewPath} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`

/**
 * Sends a request up to the middle of its file. `finish` sends the rest and resolves with the whole answer.
 */
async function startUpload(port: number) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk.toString('latin1')
  })
  const closed = new Promise<string>(resolve =>
    socket.on('error', () => undefined).once('close', () => resolve(answer)),
  )
  socket.write(head)
  socket.write(body.subarray(0, body.length >> 1))
  return {
    finish: () => {
      socket.write(body.subarray(body.length >> 1))
      return closed
    },
    closed,
  }
}

test('finishes a request after SIGTERM, then exits with 0 and leaves no folder', async t => {
  const service = await startProcess(t)
  const upload = await startUpload(service.port)
  await until(() => service.filesUnderWay().length === 1, 'the upload begins')
  service.child.kill('SIGTERM')
  await until(() => service.log().includes('"stopping"'), 'the process stops')
  assert.match(await upload.finish(), /^HTTP\/1\.1 200 /)
  assert.equal(await service.exited, 0)
  assert.deepEqual(readdirSync(service.tempDir), [])
})

test('cuts a request that outlasts the drain, and leaves no folder', async t => {
  const service = await startProcess(t, { DRAIN_MS: '200' })
  const upload = await startUpload(service.port)
  await until(() => service.filesUnderWay().length === 1, 'the upload begins')
  service.child.kill('SIGTERM')
  assert.equal(await service.exited, 1)
  assert.equal(await upload.closed, '')
  assert.deepEqual(readdirSync(service.tempDir), [])
})

test('removes the files that a killed process left', async t => {
  const killed = await startProcess(t)
  await startUpload(killed.port)
  await until(() => killed.filesUnderWay().length === 1, 'the upload begins')
  killed.child.kill('SIGKILL')
  await killed.exited
  assert.equal(killed.filesUnderWay().length, 1)
  const next = await startProcess(t, {}, killed.tempDir)
  assert.equal(readdirSync(next.tempDir).length, 1)
  assert.deepEqual(next.filesUnderWay(), [])
  await checkUnharmed(next)
})

test('prints every problem of a wrong environment and exits with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PREVIEW_WORKERS: 'many', PREVIEW_MAX_UPLOADS: '0' },
    encoding: 'utf8',
  })
  assert.equal(status, 2)
  assert.match(stderr, /PREVIEW_WORKERS must be a whole number/)
  assert.match(stderr, /PREVIEW_MAX_UPLOADS must be a whole number/)
})
