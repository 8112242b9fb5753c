import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { sql } from 'kysely'
import { createPublish } from '../subscribers.ts'
import { type Harness, harness } from '../test/harness.ts'
import { announceNames } from './announce-names.ts'

let service: Harness

before(async () => {
  service = await harness({
    publish: createPublish(['identity', 'leaderboard', 'upload', 'ingest'], () => new Date()),
  })
})

after(() => service.close())

const now = () => new Date()

/** Returns the deliveries in the outbox, oldest first. */
async function deliveries(): Promise<readonly string[]> {
  const { rows } = await sql<{ subscriber: string; payload: Buffer }>`
    select subscriber, payload from event_delivery join event_outbox on event_outbox.id = event_id
    order by position`.execute(service.db)
  return rows.map(({ subscriber, payload: bytes }) => {
    const { payload } = fromBinary(EventSchema, bytes)
    return `${subscriber} ${payload.case} ${payload.case === 'usernameChanged' ? payload.value.username : ''}`.trim()
  })
}

const clearOutbox = () => sql`truncate event_outbox, event_delivery`.execute(service.db)

test('publishes every username to leaderboard once, and again on request', async () => {
  for (const name of ['first-name', 'second-name']) {
    await service.call('setUsername', {
      method: 'POST',
      url: '/api/v1/auth/username',
      as: `user-${name}`,
      body: { username: name },
    })
  }
  await clearOutbox()
  assert.equal(await announceNames(service.db, { now }), 2)
  const names = ['leaderboard usernameChanged first-name', 'leaderboard usernameChanged second-name']
  assert.deepEqual(await deliveries(), names)
  assert.equal(await announceNames(service.db, { now }), null)
  assert.deepEqual(await deliveries(), names)
  assert.equal(await announceNames(service.db, { now, again: true }), 2)
})

test('publishes a name that changes meanwhile after the one it replaces', async () => {
  await clearOutbox()
  const change = service.call('setUsername', {
    method: 'POST',
    url: '/api/v1/auth/username',
    as: 'user-first-name',
    body: { username: 'third-name' },
  })
  await Promise.all([announceNames(service.db, { now, again: true }), change])
  const ofFirst = (await deliveries()).filter(line => !line.includes('second-name'))
  assert.equal(ofFirst.at(-1), 'leaderboard usernameChanged third-name')
})

test('publishes a new name to leaderboard and a deleted account to all subscribers', async () => {
  await clearOutbox()
  await service.call('setUsername', {
    method: 'POST',
    url: '/api/v1/auth/username',
    as: 'user-leaving',
    body: { username: 'leaving' },
  })
  assert.equal((await deliveries()).at(-1), 'leaderboard usernameChanged leaving')
  await clearOutbox()
  await service.call('deleteAccount', {
    method: 'DELETE',
    url: '/api/v1/auth/account',
    as: 'user-leaving',
    body: { username: 'leaving' },
  })
  assert.deepEqual(
    new Set(await deliveries()),
    new Set(['identity', 'leaderboard', 'upload', 'ingest'].map(name => `${name} accountDeleted`)),
  )
})
