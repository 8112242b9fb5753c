import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { watchMemory } from './check/watch-memory.ts'
import { createDriverClient } from './client/driver-client.ts'
import { sessionFile } from './plan/session-file.ts'
import { PROCESSES } from './plan/wave-plan.ts'
import { startWorld, type World } from './world/world.ts'

const USERS = 20
const FILES_EACH = 10
/** More than a process may grow by while files wait: far less than they would take in memory. */
const GROWTH_MIB = 120

let world: World
let owner: pg.Client

before(async () => {
  world = await startWorld({ say: () => {} })
  owner = new pg.Client({ connectionString: world.servers.postgres.url })
  await owner.connect()
})

after(async () => {
  await owner?.end()
  await world?.stop()
})

/** About 1 MB: eight laps. */
const fileOf = (user: number, file: number) =>
  sessionFile({
    combination: { trackId: 11, trackName: 'Busy Ring', carId: 1, carName: 'Chaos GT' },
    driverId: 800_000 + user,
    laps: Array.from({ length: 8 }, (_, lap) => ({
      timeMs: 20_000 + 100 * file + 10 * lap + user,
      isDirty: false,
    })),
    startedAtMs: file * 60_000,
  })

const bring = (user: number, file: number) =>
  createDriverClient({
    userId: `busy-${user}`,
    file: fileOf(user, file),
    addresses: world.addresses,
    internalKey: world.internalKey,
  }).bring({ leaves: null, completeCalls: 1, ingestCalls: 1 })

test('200 files at once from 20 drivers: the queue grows, memory does not, and every one ends', async t => {
  // What the first files of a process cost is not what a queue costs.
  await Promise.all(Array.from({ length: USERS }, (_, user) => bring(user, FILES_EACH)))
  const memory = watchMemory(world)
  const before = memory.peaksMiB()

  let isOver = false
  let longest = 0
  const watch = (async () => {
    while (!isOver) {
      const { rows } = await owner.query<{ waiting: number }>(
        `select count(*)::int as waiting from ingest.ingest where state = 'waiting'`,
      )
      longest = Math.max(longest, rows[0]!.waiting)
      await delay(50)
    }
  })()
  const endings = await Promise.all(
    Array.from({ length: USERS * FILES_EACH }, (_, index) => bring(index % USERS, Math.floor(index / USERS))),
  )
  isOver = true
  await watch
  memory.stop()

  const peaks = memory.peaksMiB()
  t.diagnostic(`${longest} files waited at once; MiB at most: ${JSON.stringify(peaks)}`)
  for (const ending of endings) {
    assert.ok(ending.kind === 'judged' && ending.outcome.status < 300, JSON.stringify(ending))
  }
  assert.ok(longest >= 20, `${longest} files waited`)
  for (const name of PROCESSES) {
    const growth = peaks[name] - before[name]
    assert.ok(growth <= GROWTH_MIB, `${name} grew by ${Math.round(growth)} MiB`)
  }
  // The best lap of each driver stands: of file 0, the fastest.
  const { rows } = await owner.query<{ time_ms: number; drivers: number }>(
    `select entry.time_ms - 20000 as time_ms, count(*)::int as drivers from leaderboard.entry
     where board = (select min(board) from leaderboard.entry) group by 1 order by 1`,
  )
  assert.deepEqual(
    rows,
    Array.from({ length: USERS }, (_, user) => ({ time_ms: user, drivers: 1 })),
  )
})
