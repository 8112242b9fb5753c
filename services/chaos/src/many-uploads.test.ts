import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readFacts } from './check/read-facts.ts'
import { watchMemory } from './check/watch-memory.ts'
import { createDriverClient, type DriverClient, type Ending } from './client/driver-client.ts'
import type { SessionFile } from './plan/session-file.ts'
import { PROCESSES } from './plan/wave-plan.ts'
import { startWorld, type World } from './world/world.ts'

const USERS = 20
const FILES_EACH = 5
/**
 * Growth of a process that is accepted while files wait, MiB. It allows for uncollected garbage of a worker.
 * It is less than half the 500 MiB of the files, which two workers would share.
 */
const GROWTH_MIB = 200

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

/** Five megabytes with one lap: few large files fill the memory like many small ones, with less to judge. */
const fileOf = (user: number, file: number): SessionFile => ({
  combination: { trackId: 11, trackName: 'Busy Ring', carId: 1, carName: 'Chaos GT' },
  driverId: 800_000 + user,
  // Within 2 %: a lap that beats the board by more is held for review (D-26).
  laps: [{ timeMs: 20_000 + 25 * file + user, isDirty: false }],
  startedAtMs: file * 60_000,
  paddingBytes: 3200,
})

/**
 * The file is built before the test: building it takes longer than submitting it, and the proxies share this
 * process.
 */
const clientOf = (user: number, file: number) =>
  createDriverClient({
    userId: `busy-${user}`,
    file: fileOf(user, file),
    addresses: world.addresses,
    internalKey: world.internalKey,
  })

/** Submits the file and presses Retry after each 503, as the page offers. Returns the number of retries. */
async function submitAndRetry(
  client: DriverClient,
): Promise<{ readonly ending: Ending; readonly retries: number }> {
  for (let retries = 0; ; retries++) {
    const ending = await client.submit({ leaves: null, completeCalls: 1, ingestCalls: 1 })
    if (ending.kind !== 'failed' || retries === MOST_RETRIES) return { ending, retries }
  }
}

const MOST_RETRIES = 10

test('ends every one of 100 parallel files from 20 drivers, while the queue grows and memory does not', async t => {
  // The first files warm the processes up, so that the measurement shows the cost of the queue alone.
  const first = Array.from({ length: USERS }, (_, user) => clientOf(user, FILES_EACH))
  const all = Array.from({ length: USERS * FILES_EACH }, (_, index) =>
    clientOf(index % USERS, Math.floor(index / USERS)),
  )
  await Promise.all(first.map(submitAndRetry))
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
  const endings = await Promise.all(all.map(submitAndRetry))
  isOver = true
  await watch
  memory.stop()

  const peaks = memory.peaksMiB()
  const retries = endings.reduce((sum, end) => sum + end.retries, 0)
  t.diagnostic(`${longest} files waited at once, ${retries} retries; MiB at most: ${JSON.stringify(peaks)}`)
  for (const { ending } of endings) {
    assert.ok(ending.kind === 'judged' && ending.outcome.status < 300, JSON.stringify(ending))
  }
  assert.ok(longest >= 20, `${longest} files waited`)
  for (const name of PROCESSES) {
    const growth = peaks[name] - before[name]
    assert.ok(growth <= GROWTH_MIB, `${name} grew by ${Math.round(growth)} MiB`)
  }
  // Each driver's fastest lap, of file 0, is on the board, and no other.
  const userIds = Array.from({ length: USERS }, (_, user) => `busy-${user}`)
  const { boards } = await readFacts(world, owner, userIds)
  assert.deepEqual(
    boards.find(({ which }) => which === 'complete')!.rows.map(({ userId, timeMs }) => [userId, timeMs]),
    userIds.map((userId, user) => [userId, 20_000 + user]),
  )
})
