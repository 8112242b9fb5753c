import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hideDriver, hideLap, restoreDriver, restoreLap } from '../moderation/hide.ts'
import { aLap, aStanding, lapIdOf, summit } from '../test/a-standing.ts'
import { type Harness, harness, type Page } from '../test/harness.ts'
import { listBoards, recount } from '../verification/recount.ts'

let service: Harness

before(async () => {
  service = await harness({ poolSize: 40 })
})

after(() => service.close())

const writers = Array.from({ length: 32 }, (_, i) => `user-writer-${i}`)
const drivenIn = (car: string) => ({ ...summit, car_slug: car, car_label: car })

async function assertNoDrift(): Promise<void> {
  for (const board of await listBoards(service.db)) {
    assert.deepEqual(await recount(service.db, board), { boardId: board, entries: 0, buckets: 0 })
  }
}

async function times(car: string): Promise<readonly number[]> {
  const url = `/api/leaderboards?sim=iracing&track_slug=${summit.track_slug}&layout=default&car_slug=${car}&limit=100`
  const { body } = await service.get<Page>('getPage', url, 'user-reader')
  assert.deepEqual(
    body.rows.map(row => row.rank),
    body.rows.map((_, i) => i + 1),
  )
  return body.rows.map(row => row.best_lap_time_ms)
}

test('stores each driver’s best once with 32 writers on one board', async () => {
  const rounds = 12
  // The times of the writers cross, so that all need the same buckets in all orders.
  const timeOf = (writer: number, round: number) => 60_000 + ((writer * 7_919 + round * 104_729) % 40_000)
  await Promise.all(
    writers.map(async (userId, writer) => {
      for (let round = 1; round <= rounds; round++) {
        await service.put(
          aStanding(userId, timeOf(writer, round), { version: round, combination: drivenIn('hot') }),
        )
      }
    }),
  )
  assert.deepEqual(
    await times('hot'),
    writers.map((_, writer) => timeOf(writer, rounds)).sort((a, b) => a - b),
  )
  await assertNoDrift()
})

test('creates one board for simultaneous first laps on a new combination', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const car = `new-${attempt}`
    const combination = { ...drivenIn(car), track_slug: `track-${attempt}`, track_id: 7_000 + attempt }
    const answers = await Promise.all(
      writers.map((userId, i) => service.put(aStanding(userId, 90_000 + (i % 4), { combination }))),
    )
    assert.equal(new Set(answers.map(answer => answer.context_id)).size, 1)
  }
  await assertNoDrift()
})

test('creates one board for two simultaneous names of a new track', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const of = { ...drivenIn('met'), track_slug: `met-${attempt}` }
    const answers = await Promise.all(
      writers.slice(0, 8).map((userId, i) =>
        service.put(
          aStanding(userId, 90_000, {
            combination: { ...of, alias_slug: i % 2 === 0 ? null : `met-too-${attempt}` },
          }),
        ),
      ),
    )
    assert.equal(new Set(answers.map(answer => answer.context_id)).size, 1)
  }
  const { rows } = await sql<{ tracks: number; aliases: number; contexts: number }>`select
    (select count(*)::int from track where slug like 'met-%') as tracks,
    (select count(*)::int from track_alias where slug like 'met-%') as aliases,
    (select count(*)::int from context where car_slug = 'met') as contexts`.execute(service.db)
  assert.deepEqual(rows, [{ tracks: 10, aliases: 10, contexts: 10 }])
})

test('stores the last version of thirty simultaneous standings of a new driver', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const userId = `user-new-${attempt}`
    const versions = Array.from({ length: 30 }, (_, i) => i + 1)
    await Promise.all(
      versions.map(version =>
        service.put(
          aStanding(userId, 100_000 - version, { version, combination: drivenIn(`first-${attempt}`) }),
        ),
      ),
    )
    assert.deepEqual(await times(`first-${attempt}`), [99_970])
  }
  await assertNoDrift()
})

test('leaves no drift and no deadlock with moderators, deletions and writers at the same time', async () => {
  const combination = drivenIn('busy')
  const put = (userId: string, version: number) =>
    service.put(
      aStanding(userId, 80_000 + version * 13, {
        version,
        combination,
        clean: version % 3 === 0 ? null : aLap(90_000 + version, { of: userId }),
      }),
    )
  await Promise.all(writers.map(userId => put(userId, 1)))
  await Promise.all([
    ...writers.map(async userId => {
      for (let version = 2; version <= 10; version++) await put(userId, version)
    }),
    (async () => {
      for (let round = 0; round < 10; round++) {
        const lap = lapIdOf(`${writers[round]} ${80_000 + 13}`)
        await hideLap(service.db, lap)
        await hideDriver(service.db, writers[round + 10]!)
        await restoreLap(service.db, lap)
        await restoreDriver(service.db, writers[round + 10]!)
      }
    })(),
    (async () => {
      for (let gone = 24; gone < 32; gone++) {
        await service.publish({
          case: 'accountDeleted',
          value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId: writers[gone]! },
        })
      }
    })(),
  ])
  assert.equal((await times('busy')).length, 24)
  await assertNoDrift()
})
