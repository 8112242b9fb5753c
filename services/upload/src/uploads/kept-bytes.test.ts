import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sweep } from '../sweeping/sweep.ts'
import { type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const fileBytes = sampleFile.length

/** The service where a person may have so many bytes kept or under way. */
const bounded = (maxKeptBytes: number) => service.variant({ maxKeptBytes })

async function sizesOf(userId: string): Promise<number[]> {
  const rows = await service.db
    .selectFrom('upload_session')
    .select('size')
    .where('user_id', '=', userId)
    .where('state', '<>', 'removed')
    .execute()
  return rows.map(({ size }) => size)
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

test('a file that fills the room to its last byte is taken, and one byte more is not, whatever was completed', async () => {
  const { init } = bounded(fileBytes + 1000)
  const done = await service.announce('user-full', sampleFile)
  await postForm(done, sampleFile)
  assert.equal((await service.complete('user-full', done)).status, 200)

  const over = await init('user-full', { size: 1001 })
  assert.equal(over.status, 409)
  assert.equal(over.body.code, 'upload.storage_full')
  assert.equal(
    over.body.detail,
    'Your uploads leave no room for this file. Each is kept for 30 days and then makes room: please try again when an older one is gone.',
  )
  assert.deepEqual(await sizesOf('user-full'), [fileBytes])
  assert.equal((await init('user-full', { size: 1000 })).status, 200)
  assert.equal((await init('user-full', { size: 1 })).body.code, 'upload.storage_full')
})

test('what one person has kept takes no room from another', async () => {
  const { init } = bounded(1000)
  assert.equal((await init('user-one', { size: 1000 })).status, 200)
  assert.equal((await init('user-one', { size: 1 })).status, 409)
  assert.equal((await init('user-two', { size: 1000 })).status, 200)
})

test('the bound is that of the installation, and the days it speaks of are too', async () => {
  assert.equal((await bounded(2000).init('user-moved', { size: 2000 })).status, 200)
  assert.equal((await bounded(2500).init('user-moved', { size: 501 })).status, 409)
  assert.equal((await bounded(2501).init('user-moved', { size: 501 })).status, 200)
  const briefly = service.variant({ maxKeptBytes: 1, keepDays: 1 })
  assert.match(String((await briefly.init('user-moved', { size: 1 })).body.detail), /kept for 1 day and/)
})

test('sums beyond 32 bits are counted right', async () => {
  const size = 104_857_600
  const { init } = bounded(51 * size + 20 * 1024 ** 2)
  const createdAt = service.clock.now
  await service.db
    .insertInto('upload_session')
    .values(
      Array.from({ length: 50 }, () => ({
        id: randomUUID(),
        user_id: 'user-large',
        key: `uploads/${randomUUID()}`,
        size,
        state: 'completed' as const,
        etag: '"an etag"',
        created_at: createdAt,
        expires_at: createdAt,
        completed_at: createdAt,
      })),
    )
    .execute()
  assert.equal((await init('user-large', { size })).status, 200)
  assert.equal((await init('user-large', { size: 20 * 1024 ** 2 + 1 })).status, 409)
  assert.equal((await init('user-large', { size: 20 * 1024 ** 2 })).status, 200)
})

test('thirty files that are announced at once never go over the bound', async () => {
  const { init } = bounded(7999)
  const answers = await Promise.all(Array.from({ length: 30 }, () => init('user-burst', { size: 1000 })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 7)
  assert.equal(answers.filter(({ body }) => body.code === 'upload.storage_full').length, 23)
  assert.equal(sum(await sizesOf('user-burst')), 7000)
})

test('of any files announced at once, those that are taken fit, and each that is refused would not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 10_000 }),
      async (sizes, bound) => {
        const userId = `user-${randomUUID()}`
        const { init } = bounded(bound)
        const answers = await Promise.all(
          sizes.map(async size => ({ size, status: (await init(userId, { size })).status })),
        )
        const kept = sum(await sizesOf(userId))
        assert.ok(kept <= bound, `${kept} of ${bound}`)
        const taken = answers.filter(({ status }) => status === 200)
        assert.equal(sum(taken.map(({ size }) => size)), kept)
        for (const { size, status } of answers) {
          assert.ok(status === 200 || (status === 409 && kept + size > bound), `${status} for ${size}`)
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('a file that was kept for its time makes room, and so does one that was given up, when the sweeper has been there', async t => {
  const started = service.clock.now
  t.after(() => {
    service.clock.now = started
  })
  const { init } = bounded(2 * fileBytes)
  const sweepAt = async (ms: number) => {
    service.clock.now = new Date(started.getTime() + ms)
    await sweep({ ...service, now: () => service.clock.now, keepDays: 30 })
  }
  const done = await service.announce('user-again', sampleFile)
  await postForm(done, sampleFile)
  await service.complete('user-again', done)
  await service.announce('user-again', sampleFile)
  const fits = async () => (await init('user-again', { size: fileBytes })).status === 200

  // The form has ended, but what was posted in time can still be completed.
  await sweepAt(40 * minuteMs)
  assert.equal(await fits(), false)
  await sweepAt(40 * minuteMs + 1)
  assert.equal(await fits(), true)
  assert.equal(await fits(), false)

  await sweepAt(30 * dayMs)
  assert.deepEqual(await sizesOf('user-again'), [fileBytes])
  await sweepAt(30 * dayMs + 1)
  assert.deepEqual(await sizesOf('user-again'), [])
  assert.equal(await fits(), true)
})
