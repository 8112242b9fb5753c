import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const setName = (as: string, username: string) =>
  service.call('setUsername', { method: 'POST', url: '/api/v1/auth/username', as, body: { username } })
const remove = (as: string, username: string) =>
  service.call('deleteAccount', { method: 'DELETE', url: '/api/v1/auth/account', as, body: { username } })

async function deletionEventsOf(userId: string): Promise<number> {
  const rows = await service.db.selectFrom('event_outbox').select('payload').execute()
  return rows
    .map(row => fromBinary(EventSchema, row.payload).payload)
    .filter(payload => payload.case === 'accountDeleted' && payload.value.userId === userId).length
}

test('deletes everything personal and publishes one event, however often it is requested', async () => {
  await setName('user-gone', 'goner')
  await service.call('setConsent', {
    method: 'POST',
    url: '/api/v1/auth/consent',
    as: 'user-gone',
    body: { waitlist: true, marketing: true },
  })
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove('user-gone', 'Goner')))
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([204]))
  assert.equal(await deletionEventsOf('user-gone'), 1)
  for (const table of ['profile', 'consent', 'waitlist_member', 'billing_customer'] as const) {
    assert.deepEqual(
      await service.db.selectFrom(table).select('user_id').where('user_id', '=', 'user-gone').execute(),
      [],
    )
  }
})

test('rejects requests of a deleted account and stores nothing', async () => {
  const name = await service.call('getUsername', {
    method: 'GET',
    url: '/api/v1/auth/username',
    as: 'user-gone',
  })
  assert.equal(name.body.code, 'account.deleted')
  const consent = await service.call('setConsent', {
    method: 'POST',
    url: '/api/v1/auth/consent',
    as: 'user-gone',
    body: { waitlist: true, marketing: true },
  })
  assert.equal(consent.status, 410)
})

test('frees the username for other drivers', async () => {
  assert.equal((await setName('user-next', 'goner')).status, 200)
})

test('answers 409 and deletes nothing if the typed name is not the account’s', async () => {
  const answer = await remove('user-next', 'somebody')
  assert.equal(answer.body.code, 'account.username_not_confirmed')
  assert.equal(
    (await service.call('getUsername', { method: 'GET', url: '/api/v1/auth/username', as: 'user-next' })).body
      .username,
    'goner',
  )
  assert.equal(await deletionEventsOf('user-next'), 0)
})

test('leaves no rows if a deletion and twenty saves run at the same time', async () => {
  await setName('user-raced', 'raced')
  await Promise.all([
    remove('user-raced', 'raced'),
    ...Array.from({ length: 20 }, () =>
      service.call('setConsent', {
        method: 'POST',
        url: '/api/v1/auth/consent',
        as: 'user-raced',
        body: { waitlist: true, marketing: true },
      }),
    ),
  ])
  assert.deepEqual(
    await service.db.selectFrom('consent').select('user_id').where('user_id', '=', 'user-raced').execute(),
    [],
  )
  assert.deepEqual(
    await service.db
      .selectFrom('waitlist_member')
      .select('user_id')
      .where('user_id', '=', 'user-raced')
      .execute(),
    [],
  )
})
