import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findDisputedNumbers } from '../drivers/driver.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { storeAgreedLocation, storeVote } from '../tracks/track-location.repository.ts'
import type { TrackLocation } from '../tracks/track-location.ts'
import { listLapConflicts } from './lap-copies.ts'
import { findLocationConflicts } from './location-conflicts.ts'
import { listConflicts } from './ownership.ts'
import { listHeldLaps } from './review-laps.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const LIMIT = 3
const FLOOD = [1, 2, 3, 4]

/** Saves a file with a lap of its own. */
const save = (userId: string, simUserId: string) => recordFile(service.db, userId, { simUserId, laps: [{}] })

test('lists conflicts and disputed numbers of others, however many files one account brings', async () => {
  for (const number of [...FLOOD, 9]) await save(`driver ${number}`, `${number}`)
  await save('mistaken', '9')
  for (const number of FLOOD) await save('flooder', `${number}`)
  const conflicts = await listConflicts(service.db, LIMIT)
  assert.ok(conflicts.some(({ userId }) => userId === 'mistaken'))
  assert.equal(conflicts.length, LIMIT)
  const disputed = await findDisputedNumbers(service.db, LIMIT)
  assert.ok(disputed.some(({ simUserId }) => simUserId === '9'))
  assert.equal(disputed.length, LIMIT)
})

test('lists copied laps of others, however many copies one account brings', async () => {
  const { ids } = await recordFile(service.db, 'copied', { laps: [{}] })
  const bring = async (userId: string) => {
    const { id } = await service.db.selectFrom('ingest').select('id').executeTakeFirstOrThrow()
    await service.db
      .insertInto('lap_conflict')
      .values({ ingest_id: id, user_id: userId, owner_user_id: 'copied', owner_lap_id: ids[0]! })
      .execute()
  }
  await bring('copier')
  for (const _ of FLOOD) await bring('flooder')
  const conflicts = await listLapConflicts(service.db, LIMIT)
  assert.deepEqual(
    conflicts.map(({ userId }) => userId),
    ['flooder', 'copier', 'flooder'],
  )
})

test('lists held laps of others, on however many boards one driver holds laps', async () => {
  const hold = (userId: string, car_slug: string) =>
    recordFile(service.db, userId, {
      combination: { ...aCombination, car_slug },
      laps: [{ findings: ['missing_sensor'] }],
    })
  for (const board of FLOOD) await hold('flooder', `car ${board}`)
  await hold('honest', 'car 1')
  const held = await listHeldLaps(service.db, LIMIT)
  assert.ok(held.some(({ userId }) => userId === 'honest'))
  assert.equal(held.length, LIMIT)
})

test('lists the track with most votes for another location, on however many tracks one account votes', async () => {
  const here: TrackLocation = { lat: 50, lon: 6, lengthM: 7_000 }
  const there = { ...here, lat: 51 }
  const votes = async (track_slug: string, sim_track_id: number, userIds: readonly string[]) => {
    await recordFile(service.db, 'first', {
      combination: { ...aCombination, track_slug, sim_track_id },
      laps: [{ location: here }],
    })
    const { track_id: trackId } = await service.db
      .selectFrom('combination')
      .select('track_id')
      .where('track_slug', '=', track_slug)
      .executeTakeFirstOrThrow()
    await service.db.transaction().execute(async trx => {
      await storeAgreedLocation(trx, trackId, here)
      for (const userId of userIds) {
        const account = { user_id: userId, network: Buffer.from(userId), account_created_at: new Date(0) }
        await trx
          .insertInto('person')
          .values({ ...account, can_vote: true })
          .onConflict(conflict => conflict.doNothing())
          .execute()
        await storeVote(trx, { trackId, userId, location: there })
      }
    })
  }
  for (const track of FLOOD) await votes(`flooded-${track}`, 100 + track, ['voter everywhere'])
  await votes('moved', 200, ['voter a', 'voter b'])
  const conflicts = await findLocationConflicts(service.db, LIMIT)
  assert.equal(conflicts[0]?.track.track_slug, 'moved')
  assert.equal(conflicts.length, LIMIT)
})
