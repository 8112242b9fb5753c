import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { internalKey } from './test/accounts.ts'
import { folderOf } from './test/gateway.ts'
import { fakeUpstream } from './test/upstream.ts'

/** Longer than any of these tests on a busy machine. */
const DRAIN_MS = '200000'

test('finishes and answers an upload after SIGTERM, then exits with 0', async t => {
  const upstream = await fakeUpstream(t)
  const { child, url } = await run(t, { PREVIEW_URL: upstream.url.href, DRAIN_MS })
  const client = httpRequest(`${url}/api/preview`, { method: 'POST' })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  client.write('first')
  await until(() => upstream.received.length === 1, 'the service receives the request')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  // The process refuses new connections while the upload continues.
  await until(() => refused(url), 'the process refuses connections')
  client.end('last')
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  response.resume()
  assert.equal(upstream.received[0]!.body.toString(), 'firstlast')
  assert.deepEqual(await ended, [0, null])
})

test('reads and answers a small body after SIGTERM, then exits with 0', async t => {
  const upstream = await fakeUpstream(t)
  const { child, url, printed } = await run(t, {
    DRAIN_MS,
    ACCOUNT_URL: upstream.url.href,
    IDENTITY_URL: upstream.url.href,
    INTERNAL_KEY: internalKey,
  })
  const client = httpRequest(`${url}/sdk/v1/passwords/authenticate`, {
    method: 'POST',
    // The process answers this header, which shows that it has the request.
    headers: { expect: '100-continue', 'content-length': 9 },
  })
  const answered = once(client, 'response') as Promise<[IncomingMessage]>
  client.flushHeaders()
  await once(client, 'continue')
  client.write('first')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  // At most five seconds lie between the first and the last byte of such a body, so the test waits for no more.
  await printed(/"msg":"stopping"/)
  client.end('last')
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  response.resume()
  assert.equal(upstream.received[0]!.body.toString(), 'firstlast')
  assert.deepEqual(await ended, [0, null])
})

test('cuts a request that outlasts the drain, and exits with 1', async t => {
  const upstream = await fakeUpstream(t, () => {})
  const { child, url } = await run(t, { PREVIEW_URL: upstream.url.href, DRAIN_MS: '200' })
  const response = fetch(`${url}/api/preview`, { method: 'POST' })
  await until(() => upstream.received.length === 1, 'the service receives the request')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await assert.rejects(response)
  assert.deepEqual(await ended, [1, null])
})

test('names all problems of a configuration, and exits with 2', async t => {
  const child = start(t, { PREVIEW_URL: 'nowhere', PORT: 'x' })
  let errors = ''
  child.stderr!.on('data', chunk => {
    errors += chunk
  })
  assert.deepEqual(await once(child, 'close'), [2, null])
  assert.match(errors, /PREVIEW_URL/)
  assert.match(errors, /PORT/)
})

async function run(t: TestContext, env: Record<string, string>) {
  const folder = await folderOf(t, { 'index.html': '<!doctype html>' })
  const child = start(t, { HOST: '127.0.0.1', PORT: '0', FRONTEND_DIR: folder, ...env })
  const printed = readOutput(child)
  return { child, url: await printed(/http:\/\/127\.0\.0\.1:\d+(?=")/), printed }
}

/** Returns a function that waits for a match in the output. It rejects if the process ends without one. */
function readOutput(child: ChildProcess): (pattern: RegExp) => Promise<string> {
  let out = ''
  child.stdout!.on('data', chunk => {
    out += chunk
  })
  const ended = once(child, 'close').then(() =>
    Promise.reject(new Error(`the process ended and printed ${out}`)),
  )
  ended.catch(() => {})
  return async pattern => {
    let match = pattern.exec(out)
    while (match === null) {
      await Promise.race([once(child.stdout!, 'data'), ended])
      match = pattern.exec(out)
    }
    return match[0]
  }
}

function start(t: TestContext, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function refused(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    () => false,
    () => true,
  )
}
