import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as begins } from 'node:timers/promises'
import { IdentityError } from '../errors.ts'
import { createPasswordHasher, createQueue } from './password-hasher.ts'

const options = { memoryKib: 64, passes: 1, concurrency: 2, maxWaitMs: 60_000 }

test('verifies a password in any Unicode form and rejects others', async () => {
  const hasher = await createPasswordHasher(options)
  const hash = await hasher.hash('Zoë’s Pässwort')
  assert.match(hash, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  assert.equal(await hasher.verify(hash, 'Zoë’s Pässwort'.normalize('NFD')), true)
  assert.equal(await hasher.verify(hash, 'Zoe’s Passwort'), false)
})

test('matches no password without a hash', async () => {
  const hasher = await createPasswordHasher(options)
  for (const password of ['', 'anything', 'x'.repeat(100_000)]) {
    assert.equal(await hasher.verify(null, password), false)
  }
})

test('reports a hash with other parameters as outdated', async () => {
  const hasher = await createPasswordHasher(options)
  const other = await createPasswordHasher({ ...options, passes: 2 })
  assert.equal(hasher.isOutdated(await hasher.hash('a')), false)
  assert.equal(hasher.isOutdated(await other.hash('a')), true)
})

test('runs a bounded number of hashes in order, and continues after a failure', async () => {
  const queue = createQueue({ concurrency: 2, maxWaitMs: 60_000, firstEstimateMs: 1 })
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (index: number) =>
    queue.run(async () => {
      running++
      most = Math.max(most, running)
      order.push(index)
      await new Promise(resolve => setImmediate(resolve))
      running--
      if (index === 3) throw new Error('one of them fails')
    })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)))
  assert.equal(most, 2)
  assert.equal(results.filter(result => result.status === 'rejected').length, 1)
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  )
})

test('refuses work whose hash would wait too long, with a Retry-After', async () => {
  const queue = createQueue({ concurrency: 1, maxWaitMs: 2_500, firstEstimateMs: 1_000, now: () => 0.1 })
  let finish = () => {}
  const held = new Promise<void>(resolve => {
    finish = resolve
  })
  const admitted = [queue.admit(() => held), queue.admit(() => held), queue.admit(() => held)]
  let began = false
  await assert.rejects(
    queue.admit(async () => {
      began = true
    }),
    (error: unknown) =>
      error instanceof IdentityError &&
      error.code === 'service_unavailable' &&
      error.headers['retry-after'] === '3',
  )
  assert.equal(began, false)
  finish()
  await Promise.all(admitted)
  await queue.admit(async () => {})
  await assert.rejects(
    queue.admit(() => Promise.reject(new Error('fails'))),
    /fails/,
  )
  assert.equal(await queue.admit(async () => 'a failure frees its place'), 'a failure frees its place')
})

test('starts work in order when few others are before it', async () => {
  const queue = createQueue({ concurrency: 1, maxWaitMs: 60_000, firstEstimateMs: 1 })
  const begun: number[] = []
  const finish: (() => void)[] = []
  const admitted = Array.from({ length: 10 }, (_, index) =>
    queue.admit(() => {
      begun.push(index)
      return new Promise<void>(resolve => finish.push(resolve))
    }),
  )
  await begins()
  assert.deepEqual(begun, [0, 1, 2, 3])
  for (let index = 0; index < 10; index++) {
    finish[index]?.()
    await admitted[index]
  }
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('refuses work at its turn if earlier work took far too long', async () => {
  let nowMs = 0
  const queue = createQueue({ concurrency: 1, maxWaitMs: 20, firstEstimateMs: 1, now: () => nowMs })
  const stalled = Promise.withResolvers<void>()
  let begun = 0
  const admitted = Array.from({ length: 12 }, () =>
    queue.admit(async () => {
      begun++
      await stalled.promise
    }),
  )
  const all = Promise.allSettled(admitted)
  await begins()
  // Just above twice the longest wait and a hash.
  nowMs = 43
  stalled.resolve()
  const refused = (await all).filter(result => result.status === 'rejected')
  assert.deepEqual([begun, refused.length], [4, 8])
  for (const { reason } of refused) {
    assert.ok(reason instanceof IdentityError)
    assert.deepEqual([reason.code, reason.headers['retry-after']], ['service_unavailable', '1'])
  }
  assert.equal(await queue.admit(async () => 'the next one is admitted'), 'the next one is admitted')
})

test('gives each refusal its own Retry-After, at the rate of the hashes and never far beyond the queue', async () => {
  const queue = createQueue({ concurrency: 2, maxWaitMs: 0, firstEstimateMs: 1_000, now: () => 0.1 })
  const never = new Promise<void>(() => {})
  for (let place = 0; place < 2; place++) void queue.admit(() => never)
  const retryAfters = Array.from({ length: 40 }, () => {
    try {
      queue.refuseIfLate()
    } catch (error) {
      return Number((error as IdentityError).headers['retry-after'])
    }
    return 0
  })
  const perSecond = retryAfters.map(seconds => retryAfters.filter(other => other === seconds).length)
  // Two hashes a second; later refusals get the last second.
  assert.deepEqual(retryAfters.slice(0, 4), [1, 1, 2, 2])
  assert.ok(perSecond.slice(0, 16).every(count => count === 2))
  assert.equal(retryAfters.at(-1), 11)
})
