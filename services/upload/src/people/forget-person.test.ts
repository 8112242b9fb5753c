import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { isStoreError } from '@lapwing/object-store'
import { SignJWT } from 'jose'
import { sweep } from '../sweeping/sweep.ts'
import { type Announced, type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

/** Publishes a deleted account to upload, as account does. */
async function publishDeleted(userId: string, id: string = crypto.randomUUID()): Promise<number> {
  const event = create(EventSchema, {
    id,
    occurredAtMs: 1n,
    payload: { case: 'accountDeleted', value: { userId } },
  })
  const body = Buffer.from(toBinary(EventSchema, event))
  const token = await new SignJWT({ digest: createHash('sha256').update(body).digest('base64url') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('lapwing-events')
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(new TextEncoder().encode('a key of at least thirty-two bytes'))
  const answer = await service.app.inject({
    method: 'POST',
    url: '/internal/events',
    headers: { 'content-type': 'application/x-protobuf', authorization: `Bearer ${token}` },
    payload: body,
  })
  return answer.statusCode
}

const sweepNow = () => sweep({ ...service, now: () => service.clock.now, keepDays: 30 })

async function isThere({ key }: Announced): Promise<boolean> {
  return service.store.head(key).then(
    () => true,
    error => {
      if (isStoreError(error, 'not_found')) return false
      throw error
    },
  )
}

test('deletes all uploads and files of a deleted account, and none of another', async () => {
  const [done, sent, open, other] = [
    await service.announce('user-gone', sampleFile),
    await service.announce('user-gone', sampleFile),
    await service.announce('user-gone', sampleFile),
    await service.announce('user-stays', sampleFile),
  ]
  for (const each of [done, sent, other]) await postForm(each, sampleFile)
  await service.complete('user-gone', done)
  await service.complete('user-stays', other)

  const id = crypto.randomUUID()
  assert.equal(await publishDeleted('user-gone', id), 204)
  assert.equal(await publishDeleted('user-gone', id), 204)
  assert.equal(await publishDeleted('user-gone'), 204)
  for (const { sessionId } of [done, sent, open]) assert.equal(await service.readSession(sessionId), null)
  assert.equal((await service.complete('user-gone', done)).status, 404)
  await sweepNow()
  for (const each of [done, sent, open]) assert.equal(await isThere(each), false)
  assert.equal((await service.readSession(other.sessionId))?.state, 'completed')
  assert.equal(await isThere(other), true)
})

test('deletes a file that is posted after the deletion with a valid form', async () => {
  const announced = await service.announce('user-late', sampleFile)
  await publishDeleted('user-late')
  await sweepNow()
  assert.equal(await postForm(announced, sampleFile), 204)
  await sweepNow()
  assert.equal(await isThere(announced), false)
  service.clock.now = new Date(service.clock.now.getTime() + 10 * 60_000)
  await sweepNow()
  assert.deepEqual(await service.db.selectFrom('object_removal').selectAll().execute(), [])
})

test('adds nothing for a running request of a deleted account', async () => {
  await publishDeleted('user-raced-before')
  assert.equal((await service.init('user-raced-before')).body.code, 'upload.unauthorized')
  // The same for both at the same time.
  const [, ...answers] = await Promise.all([
    publishDeleted('user-raced'),
    ...Array.from({ length: 10 }, () => service.init('user-raced')),
  ])
  for (const { status } of answers) assert.ok(status === 200 || status === 401)
  const left = await service.db
    .selectFrom('upload_session')
    .select('id')
    .where('user_id', '=', 'user-raced')
    .execute()
  assert.deepEqual(left, [])
})

test('deletes the files of an account after the store was down', async () => {
  const announced = await service.announce('user-store-down', sampleFile)
  await postForm(announced, sampleFile)
  await publishDeleted('user-store-down')
  const storeDown = { ...service.store, delete: async () => Promise.reject(new Error('down')) }
  await assert.rejects(sweep({ ...service, store: storeDown, now: () => service.clock.now, keepDays: 30 }))
  assert.equal(await isThere(announced), true)
  await sweepNow()
  assert.equal(await isThere(announced), false)
})
