import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVOCATIONS_COMPLETE, REVOKED_SESSIONS_KEY } from '@lapwing/auth'
import { createIsRevoked } from './revocation.ts'
import { testRedis } from './test/redis.ts'

const hourAhead = Date.now() + 3_600_000
const identityDown = () => Promise.reject(new Error('down'))

test('trusts the list in Redis only when it is complete', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  const lookups: string[] = []
  const isRevoked = createIsRevoked({
    redis,
    askIdentity: async sessionId => {
      lookups.push(sessionId)
      return sessionId !== 'ended-and-not-listed'
    },
  })
  // The list is not marked as complete yet, so a session that it lacks may still have ended.
  assert.equal(await isRevoked('active-1'), false)
  assert.equal(await isRevoked('ended-and-not-listed'), true)
  assert.deepEqual(lookups, ['active-1', 'ended-and-not-listed'])

  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, hourAhead, 'ended-1'))
  assert.equal(await isRevoked('ended-1'), true)
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  assert.equal(await isRevoked('active-2'), false)
  assert.equal(await isRevoked('ended-1'), true)
  assert.equal(lookups.length, 2)
})

test('sees an end within a second, in Redis and at identity', async t => {
  const server = await testRedis(t)
  await server.start()
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  const ended = new Set<string>()
  for (const [isRevoked, end] of [
    [
      createIsRevoked({ redis, askIdentity: identityDown }),
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
    // A check a second later sees the end, also on a busy machine.
    for (let askedMs = endedMs; !(await isRevoked('session-1')); askedMs = performance.now()) {
      assert.ok(askedMs - endedMs < 1_000)
      await new Promise(setImmediate)
    }
  }
})

test('rejects an ended session after Redis evicted the list', async t => {
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
  assert.equal(await isRevoked('active-1'), false)
})

test('looks one session up once for a hundred requests at the same time', async () => {
  let lookups = 0
  const isRevoked = createIsRevoked({
    redis: null,
    askIdentity: async () => {
      lookups += 1
      return true
    },
  })
  await Promise.all(Array.from({ length: 100 }, () => isRevoked('session-1')))
  assert.equal(lookups, 1)
})

test('asks identity while Redis is down or hangs, and rejects if neither answers', async t => {
  const server = await testRedis(t)
  const running = await server.start()
  const redis = await server.connect()
  await redis.run(client => client.zadd(REVOKED_SESSIONS_KEY, '+inf', REVOCATIONS_COMPLETE))
  const ended = new Set(['ended-1'])
  const isRevoked = createIsRevoked({ redis, askIdentity: async sessionId => !ended.has(sessionId) })
  process.kill(running.pid, 'SIGSTOP')
  try {
    // Redis hangs until this is answered.
    assert.equal(await isRevoked('ended-1'), true)
  } finally {
    process.kill(running.pid, 'SIGCONT')
  }
  await running.kill()
  assert.equal(await isRevoked('active-1'), false)
  await assert.rejects(createIsRevoked({ redis, askIdentity: identityDown })('active-2'))
})

test('does not cache a failed check', async () => {
  let isDown = true
  const isRevoked = createIsRevoked({
    redis: null,
    askIdentity: async () => (isDown ? identityDown() : true),
  })
  await assert.rejects(isRevoked('session-1'))
  isDown = false
  assert.equal(await isRevoked('session-1'), false)
})
