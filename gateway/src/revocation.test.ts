import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth'
import { createIsRevoked } from './revocation.ts'
import { testRedis } from './test/redis.ts'

const hourAhead = Date.now() + 3_600_000
const away = () => Promise.reject(new Error('away'))

test('the list in Redis is believed, once it is whole', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  const asked: string[] = []
  const isRevoked = createIsRevoked({
    redis,
    askIdentity: async sessionId => {
      asked.push(sessionId)
      return sessionId !== 'ended-and-not-listed'
    },
  })
  // Nobody has said yet that the list is whole, so what is not on it proves nothing.
  assert.equal(await isRevoked('stands-1'), false)
  assert.equal(await isRevoked('ended-and-not-listed'), true)
  assert.deepEqual(asked, ['stands-1', 'ended-and-not-listed'])

  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, hourAhead, 'ended-1'))
  assert.equal(await isRevoked('ended-1'), true)
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  assert.equal(await isRevoked('stands-2'), false)
  assert.equal(await isRevoked('ended-1'), true)
  assert.equal(asked.length, 2)
})

test('an end is seen within a second, in Redis and by asking', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  const ended = new Set<string>()
  for (const [isRevoked, end] of [
    [
      createIsRevoked({ redis, askIdentity: away }),
      () => redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, hourAhead, 'session-1')),
    ],
    [
      createIsRevoked({ redis: null, askIdentity: async sessionId => !ended.has(sessionId) }),
      async () => ended.add('session-1'),
    ],
  ] as const) {
    assert.equal(await isRevoked('session-1'), false)
    await end()
    const endedMs = performance.now()
    // However busy the machine is: who asks a second later is told.
    for (let askedMs = endedMs; !(await isRevoked('session-1')); askedMs = performance.now()) {
      assert.ok(askedMs - endedMs < 1_000)
      await new Promise(setImmediate)
    }
  }
})

test('a Redis that evicts what it holds opens no door to an ended session', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  const ended = Array.from({ length: 200 }, (_, number) => `ended-${number}`)
  await redis.run(async client => {
    await client.zadd(REVOKED_SESSIONS_KEY, ...ended.flatMap(id => [hourAhead, id]))
    await client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE)
    await client.config('SET', 'maxmemory-policy', 'allkeys-random')
    await client.config('SET', 'maxmemory', '4mb')
  })
  const isRevoked = createIsRevoked({ redis, askIdentity: async id => !ended.includes(id) })
  const isThere = () => redis.run(client => client.exists(REVOKED_SESSIONS_KEY))
  for (let number = 0; (await isThere()) === 1; number++) {
    await redis.run(client => client.set(`window-${number}`, 'x'.repeat(2_000)))
  }
  for (const id of ended) assert.equal(await isRevoked(id), true)
  assert.equal(await isRevoked('stands-1'), false)
})

test('a hundred requests of one session at once ask once', async () => {
  let asked = 0
  const isRevoked = createIsRevoked({
    redis: null,
    askIdentity: async () => {
      asked += 1
      return true
    },
  })
  await Promise.all(Array.from({ length: 100 }, () => isRevoked('session-1')))
  assert.equal(asked, 1)
})

test('identity is asked while Redis is away or hangs, and where neither answers nothing is said', async t => {
  const server = await testRedis(t)
  const running = await server.start()
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  const ended = new Set(['ended-1'])
  const isRevoked = createIsRevoked({ redis, askIdentity: async sessionId => !ended.has(sessionId) })
  process.kill(running.pid, 'SIGSTOP')
  try {
    // It hangs until this is answered.
    assert.equal(await isRevoked('ended-1'), true)
  } finally {
    process.kill(running.pid, 'SIGCONT')
  }
  await running.kill()
  assert.equal(await isRevoked('stands-1'), false)
  await assert.rejects(createIsRevoked({ redis, askIdentity: away })('stands-2'))
})

test('that nothing could be said is not remembered', async () => {
  let isAway = true
  const isRevoked = createIsRevoked({
    redis: null,
    askIdentity: async () => (isAway ? away() : true),
  })
  await assert.rejects(isRevoked('session-1'))
  isAway = false
  assert.equal(await isRevoked('session-1'), false)
})
