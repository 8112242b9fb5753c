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

/** Who was told what, oldest first. */
async function told(): Promise<readonly string[]> {
  const { rows } = await sql<{ subscriber: string; payload: Buffer }>`
    select subscriber, payload from event_delivery join event_outbox on event_outbox.id = event_id
    order by position`.execute(service.db)
  return rows.map(({ subscriber, payload: bytes }) => {
    const { payload } = fromBinary(EventSchema, bytes)
    return `${subscriber} ${payload.case} ${payload.case === 'usernameChanged' ? payload.value.username : ''}`.trim()
  })
}

const forget = () => sql`truncate event_outbox, event_delivery`.execute(service.db)

test('leaderboard is told every name that there is, once, and again when asked', async () => {
  for (const name of ['first-name', 'second-name']) {
    await service.call('setUsername', {
      method: 'POST',
      url: '/api/v1/auth/username',
      as: `user-${name}`,
      body: { username: name },
    })
  }
  await forget()
  assert.equal(await announceNames(service.db, { now }), 2)
  const names = ['leaderboard usernameChanged first-name', 'leaderboard usernameChanged second-name']
  assert.deepEqual(await told(), names)
  assert.equal(await announceNames(service.db, { now }), null)
  assert.deepEqual(await told(), names)
  assert.equal(await announceNames(service.db, { now, again: true }), 2)
})

test('a name that changes meanwhile is told after the one it replaces', async () => {
  await forget()
  const change = service.call('setUsername', {
    method: 'POST',
    url: '/api/v1/auth/username',
    as: 'user-first-name',
    body: { username: 'third-name' },
  })
  await Promise.all([announceNames(service.db, { now, again: true }), change])
  const ofFirst = (await told()).filter(line => !line.includes('second-name'))
  assert.equal(ofFirst.at(-1), 'leaderboard usernameChanged third-name')
})

test('a new name is told to leaderboard, a deleted account to everybody', async () => {
  await forget()
  await service.call('setUsername', {
    method: 'POST',
    url: '/api/v1/auth/username',
    as: 'user-leaving',
    body: { username: 'leaving' },
  })
  assert.equal((await told()).at(-1), 'leaderboard usernameChanged leaving')
  await forget()
  await service.call('deleteAccount', {
    method: 'DELETE',
    url: '/api/v1/auth/account',
    as: 'user-leaving',
    body: { username: 'leaving' },
  })
  assert.deepEqual(
    new Set(await told()),
    new Set(['identity', 'leaderboard', 'upload', 'ingest'].map(name => `${name} accountDeleted`)),
  )
})
