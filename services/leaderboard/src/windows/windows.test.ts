import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import { until } from '@lapwing/testing/until.ts'
import { pino } from 'pino'
import { ownRedis } from '../test/test-redis.ts'
import { createWindows, type Windows } from './windows.ts'

const logger = pino({ level: 'silent' })
const board = { contextId: 7, board: 'complete' } as const
const changed = { boards: [board], catalogue: false }

async function connect(t: TestContext) {
  const { server, stop } = await ownRedis()
  const redis = openRedis(new URL(server.url), logger)
  t.after(async () => {
    redis.close()
    await stop()
  })
  await until(redis.isUp)
  const prefix = `test-${randomUUID()}`
  return { server, redis, prefix, windows: createWindows(redis, logger, { prefix, answerWithinMs }) }
}

/** Long, so that a busy machine does not look like a Redis that hangs. */
const answerWithinMs = 5_000

/**
 * Creates a fake database. It returns the number of its state after `settled`, and counts its reads.
 */
function aSource(state = { value: 1 }, settled: () => Promise<unknown> = () => new Promise(setImmediate)) {
  let loads = 0
  return {
    state,
    loads: () => loads,
    read: async (windows: Windows) => {
      const load = async () => {
        loads++
        const { value } = state
        await settled()
        return value
      }
      return (await windows.read(board, [{ key: 'page', load }]))[0]
    },
  }
}

/**
 * Waits until all parallel reads have read the cache. A connection answers in order: the first ping comes
 * after their first commands, and the second ping after the commands that follow these.
 */
async function allHaveReadCache(redis: SharedRedis): Promise<void> {
  for (const _ of ['mget', 'set and mget']) await redis.run(client => client.ping())
}

test('reads a value once until it changes', async t => {
  const { windows } = await connect(t)
  const source = aSource()
  for (let time = 0; time < 5; time++) assert.equal(await source.read(windows), 1)
  // The first value is stored in parallel with its answer.
  assert.ok(source.loads() <= 2)
  source.state.value = 2
  await windows.drop(changed)
  assert.equal(await source.read(windows), 2)
})

test('loads once for 200 misses at the same time, with Redis empty or down', async t => {
  const { windows, redis } = await connect(t)
  for (const state of ['cold', 'warm', 'emptied', 'down'] as const) {
    const source = aSource(undefined, state === 'down' ? undefined : () => allHaveReadCache(redis))
    if (state === 'warm') await windows.drop(changed)
    if (state === 'emptied') await redis.run(client => client.flushall())
    const used = state === 'down' ? createWindows(null, logger) : windows
    const values = await Promise.all(Array.from({ length: 200 }, () => source.read(used)))
    assert.deepEqual(new Set(values), new Set([1]))
    assert.equal(source.loads(), 1, state)
    await windows.drop(changed)
  }
})

test('queries the database if Redis fails between the two looks at an empty cache', async t => {
  const { redis } = await connect(t)
  let runs = 0
  const failing: SharedRedis = {
    ...redis,
    async run(command) {
      runs++
      if (runs === 2) await redis.run(client => client.call('ACL', 'SETUSER', 'default', '-mget'))
      return redis.run(command)
    },
  }
  const windows = createWindows(failing, logger, { prefix: `test-${randomUUID()}`, answerWithinMs })
  assert.equal(await aSource().read(windows), 1)
  assert.equal(runs, 2)
})

test('shows a change of one process immediately in another', async t => {
  const { windows, redis, prefix } = await connect(t)
  const other = createWindows(redis, logger, { prefix, answerWithinMs })
  const source = aSource()
  for (let value = 1; value <= 50; value++) {
    source.state.value = value
    await windows.drop(changed)
    assert.equal(await source.read(other), value)
    assert.equal(await source.read(windows), value)
  }
})

test('does not cache a value that was read before a change as if it were new', async t => {
  const { windows } = await connect(t)
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = windows.read(board, [
    {
      key: 'page',
      load: async () => {
        begun.resolve()
        await release.promise
        return 'old'
      },
    },
  ])
  await begun.promise
  await windows.drop(changed)
  // A read after the change does not join a query from before it.
  assert.deepEqual(await windows.read(board, [{ key: 'page', load: async () => 'new' }]), ['new'])
  release.resolve()
  assert.deepEqual(await slow, ['old'])
  assert.deepEqual(await windows.read(board, [{ key: 'page', load: async () => 'new' }]), ['new'])
})

test('invalidates only the board of a change', async t => {
  const { windows, redis } = await connect(t)
  const clean = { contextId: 7, board: 'clean' } as const
  const loads: string[] = []
  const read = (subject: typeof clean | typeof board | 'catalogue', name: string) =>
    windows.read(subject, [{ key: 'page', load: async () => loads.push(name) }])
  for (const _ of [1, 2]) {
    await read(board, 'board')
    await read(clean, 'clean')
    await read('catalogue', 'catalogue')
    await until(async () => (await redis.run(client => client.dbsize())) === 6)
    await windows.drop(changed)
  }
  assert.deepEqual(loads, ['board', 'clean', 'catalogue', 'board'])
})

test('expires a window after 30 s (D-18)', async t => {
  const { windows, redis, prefix } = await connect(t)
  await aSource().read(windows)
  const pttl = () => redis.run(client => client.pttl(`${prefix}:14:page`))
  await until(async () => (await pttl()) > 0)
  assert.ok((await pttl()) <= 30_000)
})

test('never returns a stale window after its generation is lost', async t => {
  const { windows, redis, prefix } = await connect(t)
  const source = aSource()
  await source.read(windows)
  await until(async () => (await redis.run(client => client.exists(`${prefix}:14:page`))) === 1)
  source.state.value = 2
  await windows.drop(changed)
  await redis.run(client => client.del(`${prefix}:14:g`))
  assert.equal(await source.read(windows), 2)
})

test('stops using a Redis that hangs, so that few reads wait', async t => {
  const { server, redis, windows } = await connect(t)
  const source = aSource()
  let commands = 0
  const counted: SharedRedis = {
    ...redis,
    run: command => {
      if (redis.isUp()) commands++
      return redis.run(command)
    },
  }
  const used = createWindows(counted, logger, { prefix: 'hanging' })
  process.kill(server.pid, 'SIGSTOP')
  try {
    for (let time = 0; time < 100; time++) assert.equal(await source.read(used), 1)
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  // One read finds that Redis hangs; the others skip it. The next try comes after the pause.
  assert.ok(commands <= 3, `${commands} commands waited`)
  windows.close()
})

test('invalidates a change made while Redis was down when Redis returns with old data', async t => {
  const { server, redis, prefix, windows } = await connect(t)
  const other = createWindows(redis, logger, { prefix, answerWithinMs })
  const source = aSource()
  await source.read(windows)
  await until(async () => (await redis.run(client => client.exists(`${prefix}:14:page`))) === 1)
  // Paused, it keeps its keys, like a Redis behind a broken network.
  process.kill(server.pid, 'SIGSTOP')
  source.state.value = 2
  await windows.drop(changed)
  assert.equal(await source.read(windows), 2)
  process.kill(server.pid, 'SIGCONT')
  assert.equal(await source.read(windows), 2)
  await until(redis.isUp)
  await until(async () => (await source.read(other)) === 2)
  assert.equal(await source.read(windows), 2)
})

test('rejects all waiting reads with the error of the source, and does not cache it', async t => {
  const { windows, redis } = await connect(t)
  let loads = 0
  const fail = () =>
    windows.read(board, [
      {
        key: 'page',
        load: async () => {
          loads++
          await allHaveReadCache(redis)
          throw new Error('the database is down')
        },
      },
    ])
  const outcomes = await Promise.allSettled([fail(), fail(), fail()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(loads, 1)
  assert.equal(await aSource().read(windows), 1)
})
