import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTraceCollector } from '@lapwing/testing/trace-collector.ts'

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal}: finishes open requests, closes resources, and exits with 0`, async t => {
    const service = await start(t, { SLOW_MS: '300' })
    const response = fetch(`${service.url()}/slow`)
    await service.printed('entered')
    const ended = once(service.child, 'close')
    service.child.kill(signal)
    assert.equal(await (await response).text(), 'done')
    assert.deepEqual(await ended, [0, null])
    assert.match(service.out(), /closed/)
  })
}

test('answers a request on an idle connection after the signal, and ends as soon as no client is left', async t => {
  const service = await start(t, { KEEP_SERVING_MS: '200000', DRAIN_MS: '400000' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  assert.equal((await ask(`${service.url()}/slow`, agent)).headers.connection, 'keep-alive')
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  await service.printed('stopping')
  const last = await ask(`${service.url()}/slow`, agent)
  assert.deepEqual([last.isReused, last.statusCode, last.headers.connection], [true, 200, 'close'])
  assert.deepEqual(await ended, [0, null])
})

for (const [title, env] of [
  ['closes a connection that stays idle, once it has served for long enough', { KEEP_SERVING_MS: '50' }],
  ['serves on for at most half of the drain', { KEEP_SERVING_MS: '200000', DRAIN_MS: '1000' }],
] as const) {
  test(title, async t => {
    const service = await start(t, env)
    const agent = new Agent({ keepAlive: true })
    t.after(() => agent.destroy())
    await ask(`${service.url()}/slow`, agent)
    const ended = once(service.child, 'close')
    service.child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.doesNotMatch(service.out(), /cut off/)
  })
}

test('ignores a second signal', async t => {
  const service = await start(t, { SLOW_MS: '300' })
  const response = fetch(`${service.url()}/slow`)
  await service.printed('entered')
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  service.child.kill('SIGINT')
  assert.equal(await (await response).text(), 'done')
  assert.deepEqual(await ended, [0, null])
})

test('cuts off requests that outlast the drain, logs it, and exits with 1', async t => {
  const service = await start(t, { SLOW_MS: '600000', DRAIN_MS: '100' })
  const response = fetch(`${service.url()}/slow`)
  await service.printed('entered')
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  await assert.rejects(response)
  assert.deepEqual(await ended, [1, null])
  assert.match(service.out(), /cut off/)
})

test('serves metrics on a port of their own, until its last request has ended', async t => {
  const service = await start(t, { METRICS_HOST: '127.0.0.1', METRICS_PORT: '0', SLOW_MS: '300' })
  const metrics = /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/.exec(service.out())![1]!
  const response = fetch(`${service.url()}/slow`)
  await service.printed('entered')
  assert.equal((await fetch(`${service.url()}/metrics`)).status, 404)
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  await service.printed('stopping')
  assert.match(await (await fetch(metrics)).text(), /^process_cpu_seconds_total\{process="demo"\}/m)
  assert.equal(await (await response).text(), 'done')
  assert.deepEqual(await ended, [0, null])
})

test('counts no time for its last traces as a cut request', async t => {
  const collector = await startTraceCollector(() => {})
  t.after(() => collector.close())
  const service = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, DRAIN_MS: '1500' })
  await (await fetch(`${service.url()}/slow`)).text()
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  await ended
  assert.doesNotMatch(service.out(), /closed[\s\S]*cut off/)
})

test('exits with 1 if a resource does not close', async t => {
  const service = await start(t, { MODE: 'close-fails' })
  const ended = once(service.child, 'close')
  service.child.kill('SIGTERM')
  assert.deepEqual(await ended, [1, null])
  assert.match(service.out(), /closing failed/)
})

test('names all problems of a configuration and exits with 2', async t => {
  const service = spawnService(t, { PORT: 'x', LOG_LEVEL: 'loud' })
  assert.deepEqual(await once(service.child, 'close'), [2, null])
  assert.match(service.out(), /PORT[\s\S]*LOG_LEVEL/)
  assert.doesNotMatch(service.out(), / at .*\.ts/)
})

test('exits with 1 if the port is in use', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const service = spawnService(t, { HOST: '127.0.0.1', PORT: String((taken.address() as AddressInfo).port) })
  assert.deepEqual(await once(service.child, 'close'), [1, null])
  assert.match(service.out(), /EADDRINUSE/)
})

async function ask(url: string, agent: Agent) {
  const request = get(url, { agent })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  await answer.resume().toArray()
  return { statusCode: answer.statusCode, headers: answer.headers, isReused: request.reusedSocket }
}

async function start(t: TestContext, env: Record<string, string>) {
  const service = spawnService(t, { HOST: '127.0.0.1', PORT: '0', ...env })
  await service.printed('listening at http://127.0.0.1:')
  return service
}

/** Waits for `close`, not `exit`: only then all output has been read. */
function spawnService(t: TestContext, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test/service.ts')], {
    // Node's own variable: without it, each process compiles all of its code.
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
  })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    out += chunk
  })
  return {
    child,
    out: () => out,
    url: () => /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(out)![1]!,
    async printed(words: string) {
      while (!out.includes(words)) await once(child.stdout, 'data')
    },
  }
}
