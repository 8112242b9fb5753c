import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { sql } from 'kysely'
import { type Harness, harness } from '../test/harness.ts'
import { EARLY_ACCESS_MEMBERS } from './consent.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const url = '/api/v1/auth/consent'
const get = (as: string) => service.call('getConsent', { method: 'GET', url, as })
const set = (as: string, body: unknown) => service.call('setConsent', { method: 'POST', url, as, body })

test('starts with nothing agreed to', async () => {
  assert.deepEqual((await get('user-new')).body, {
    waitlist: false,
    marketing: false,
    waitlist_position: null,
    early_access: false,
  })
})

test('orders members by joining; a member who leaves loses the place and later ones move up', async () => {
  for (const user of ['user-1', 'user-2', 'user-3']) await set(user, { waitlist: true, marketing: false })
  assert.equal((await get('user-3')).body.waitlist_position, 3)
  await set('user-1', { waitlist: false, marketing: true })
  assert.equal((await get('user-3')).body.waitlist_position, 2)
  assert.deepEqual((await get('user-1')).body, {
    waitlist: false,
    marketing: true,
    waitlist_position: null,
    early_access: false,
  })
  await set('user-1', { waitlist: true, marketing: true })
  assert.equal((await get('user-1')).body.waitlist_position, 3)
})

test('keeps the place if a member saves again', async () => {
  await set('user-2', { waitlist: true, marketing: true })
  assert.equal((await get('user-2')).body.waitlist_position, 1)
})

test('gives early access to the 500th member, not to the 501st', async () => {
  await sql`truncate waitlist_member`.execute(service.db)
  await sql`insert into waitlist_member (user_id) select 'user-crowd-' || n from generate_series(1, ${EARLY_ACCESS_MEMBERS - 1}) n`.execute(
    service.db,
  )
  const last = await set('user-500', { waitlist: true, marketing: false })
  assert.deepEqual([last.body.waitlist_position, last.body.early_access], [500, true])
  const late = await set('user-501', { waitlist: true, marketing: false })
  assert.deepEqual([late.body.waitlist_position, late.body.early_access], [501, false])
})

test('publishes saved choices to identity', async () => {
  await sql`truncate event_outbox, event_delivery`.execute(service.db)
  await set('user-saved', { waitlist: true, marketing: true })
  const [outbox] = await service.db.selectFrom('event_outbox').selectAll().execute()
  const { payload } = fromBinary(EventSchema, outbox!.payload)
  assert.equal(payload.case, 'consentChanged')
  assert.deepEqual(
    { ...payload.value, $typeName: undefined },
    { $typeName: undefined, userId: 'user-saved', waitlist: true, marketing: true },
  )
  const deliveries = await service.db.selectFrom('event_delivery').select('subscriber').execute()
  assert.deepEqual(deliveries, [{ subscriber: 'identity' }])
})

for (const body of [
  {},
  { waitlist: true },
  { waitlist: 'yes', marketing: false },
  { waitlist: true, marketing: false, extra: 1 },
  [],
]) {
  test(`answers 400 for ${JSON.stringify(body)}`, async () => {
    assert.equal((await set('user-1', body)).status, 400)
  })
}
