import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { until } from '@lapwing/testing/until.ts'
import { pino } from 'pino'
import { openRedis, type SharedRedis } from './open-redis.ts'

test('runs commands, and rejects them without a time-out while Redis is away', async t => {
  const { start, redis, logs } = await setUp(t)
  await assert.rejects(ping(redis))
  await until(() => logs.length === 1)
  const server = await start()
  await until(redis.isUp)
  assert.equal(await ping(redis), 'PONG')
  await server.kill()
  await until(() => logs.length === 3)
  const begin = performance.now()
  for (let count = 0; count < 20; count++) await assert.rejects(ping(redis))
  assert.ok(performance.now() - begin < 4_500, 'twenty refusals take less than twenty time-outs of 250 ms')

  await start()
  await until(redis.isUp)
  assert.equal(await ping(redis), 'PONG')
  assert.deepEqual(logs, [
    'redis cannot be reached',
    'redis is back',
    'redis cannot be reached',
    'redis is back',
  ])
})

test('waits for one time-out in all while Redis hangs, and uses it when it continues', async t => {
  const { start, redis } = await setUp(t)
  const server = await start()
  await until(redis.isUp)
  process.kill(server.pid, 'SIGSTOP')
  try {
    const begin = performance.now()
    for (let count = 0; count < 20; count++) await assert.rejects(ping(redis))
    assert.ok(performance.now() - begin < 4_500, `${performance.now() - begin} ms`)
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  await until(redis.isUp)
  assert.equal(await ping(redis), 'PONG')
})

test('does not count Redis as silent if the process itself was busy', async t => {
  const { start, redis } = await setUp(t)
  await start()
  await until(redis.isUp)
  // After this answer, as in a request, the event loop checks its timers before it reads again.
  await ping(redis)
  const answers = Array.from({ length: 100 }, () => ping(redis))
  const end = performance.now() + 400
  while (performance.now() < end);
  assert.equal((await Promise.all(answers)).length, 100)
  assert.ok(redis.isUp())
})

test('rejects a command of the wrong type without a new connection', async t => {
  const { start, redis } = await setUp(t)
  await start()
  await until(redis.isUp)
  await redis.run(client => client.set('text', 'x'))
  await assert.rejects(redis.run(client => client.incr('text')))
  assert.ok(redis.isUp())
})

function ping(redis: SharedRedis): Promise<string> {
  return redis.run(client => client.ping())
}

async function setUp(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-redis-'))
  const port = await freePort()
  const logs: string[] = []
  const logger = pino({}, { write: line => logs.push(JSON.parse(line).msg) })
  const redis = openRedis(new URL(`redis://127.0.0.1:${port}`), logger)
  const started: { stop(): Promise<void> }[] = []
  t.after(async () => {
    redis.close()
    for (const server of started) await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  const start = async () => {
    const server = await startValkey({ dir, port, throwaway: true, toolsDir })
    started.push(server)
    return server
  }
  return { start, redis, logs }
}

const toolsDir = join(import.meta.dirname, '../../../.tools')
