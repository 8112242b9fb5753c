import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createDb, migrateToLatest, provision, serviceUrl } from '@lapwing/db'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { type Board, boardId } from '@lapwing/leaderboard/boards/board'
import { findRank } from '@lapwing/leaderboard/boards/find-rank'
import { readPageAfter, readPageAt } from '@lapwing/leaderboard/boards/read-page'
import { readWindow } from '@lapwing/leaderboard/boards/read-window'
import type { Database } from '@lapwing/leaderboard/database'
import { writeBuckets } from '@lapwing/leaderboard/recount'
import { type Kysely, sql } from 'kysely'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'

/** Measures ranks and pages of very large boards with the service's own statements. */
export const leaderboardBench: Bench = {
  name: 'leaderboard',
  how:
    'Boards of generated drivers in a separate Postgres with all of them in its buffers, read over one connection by the ' +
    'code of the service. Each value of a round is the median of its calls; each call ranks another lap.',
  onlyByName: true,
  async run(context) {
    const folder = join(context.root, '.lapwing', 'bench')
    mkdirSync(folder, { recursive: true })
    const dir = mkdtempSync(join(folder, 'boards-'))
    const server = await startLarge(dir)
    try {
      const url = await prepare(context, server.url)
      const db = createDb<Database>({
        url,
        schema: 'leaderboard',
        poolSize: 1,
        prepare: true,
        statementWithinMs: 600_000,
      })
      try {
        return [...(await measure(context, db, small)), ...(await measure(context, db, large))]
      } finally {
        await db.destroy()
      }
    } finally {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  },
}

interface Size {
  readonly board: Board
  readonly entries: number
  readonly name: string
  /** Allowed cost of a rank, in times of `select 1`. */
  readonly rankAtMost: number
  /** Allowed cost of a rank, in times of counting the laps before it. */
  readonly countAtMost: number
}

const small: Size = {
  board: { contextId: 1, board: 'complete' },
  entries: 1_000_000,
  name: '1 M',
  rankAtMost: 2,
  countAtMost: 1 / 200,
}

const large: Size = {
  board: { contextId: 2, board: 'complete' },
  entries: 10_000_000,
  name: '10 M',
  rankAtMost: 3.5,
  countAtMost: 1 / 3_000,
}

/** Starts a server with both boards in its buffers, like that of a deployment with ten million drivers. */
async function startLarge(dir: string) {
  const first = await startPostgres({ dir, throwaway: true })
  const owner = createDb({ url: first.url, schema: 'public', poolSize: 1 })
  const megabytes = Math.floor(Math.min(6 * 1024, totalmem() / 1024 ** 2 / 3))
  for (const [name, value] of [
    ['shared_buffers', `${megabytes}MB`],
    ['maintenance_work_mem', '512MB'],
    ['max_wal_size', '16GB'],
  ] as const) {
    await sql`alter system set ${sql.ref(name)} = ${sql.lit(value)}`.execute(owner)
  }
  await owner.destroy()
  await first.stop()
  return startPostgres({ dir, throwaway: true })
}

/** Creates the schema with the service's migrations and fills it by SQL. */
async function prepare({ root, log }: BenchContext, ownerUrl: string): Promise<string> {
  const role = { service: 'leaderboard', password: 'bench' }
  await provision(ownerUrl, [role])
  const url = serviceUrl(ownerUrl, role)
  const db = createDb<Database>({
    url,
    schema: 'leaderboard',
    poolSize: 1,
    statementWithinMs: 3_600_000,
  })
  try {
    await migrateToLatest(db as never, {
      folder: join(root, 'services/leaderboard/migrations'),
      schema: 'leaderboard',
    })
    // Indexes are created after the rows, with their own definitions.
    const indexes = await dropIndexes(db)
    log(`leaderboard: making ${large.entries} drivers`)
    await sql`insert into driver (user_id, display_name)
      select 'user-bench-' || gen_random_uuid(), 'driver' || n from generate_series(1, ${large.entries}::int) n`.execute(
      db,
    )
    for (const { board, entries } of [small, large]) {
      log(`leaderboard: making ${entries} entries`)
      // A bell curve of lap times between 1:22 and 2:22, recorded over four months.
      await sql`insert into entry
        select ${boardId(board)}::int, n, 82000 + ((random() + random() + random()) * 20000)::int,
          1764000000000000 + (random() * 1e13)::bigint, gen_random_uuid(), random() < 0.6, true
        from generate_series(1, ${entries}::int) n`.execute(db)
    }
    log('leaderboard: making indexes and buckets')
    for (const definition of indexes) await sql.raw(definition).execute(db)
    for (const { board } of [small, large]) {
      await db.transaction().execute(trx => writeBuckets(trx, boardId(board)))
    }
    await sql`vacuum analyze`.execute(db)
    return url
  } finally {
    await db.destroy()
  }
}

/** Drops the indexes and returns the statements that create them again. */
async function dropIndexes(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ table: string; name: string; constraint: string | null; definition: string }>`
    select class.relname as table, index.relname as name, conname as constraint,
      case when conname is null then pg_get_indexdef(index.oid)
        else format('alter table %I add constraint %I %s', class.relname, conname, pg_get_constraintdef(pg_constraint.oid)) end as definition
    from pg_index join pg_class class on class.oid = indrelid join pg_class index on index.oid = indexrelid
    left join pg_constraint on conindid = indexrelid and conrelid = indrelid
    where class.relname in ('driver', 'entry') and class.relnamespace = 'leaderboard'::regnamespace`.execute(
    db,
  )
  for (const { table, name, constraint } of rows) {
    if (constraint === null) await sql`drop index ${sql.ref(name)}`.execute(db)
    else await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(constraint)}`.execute(db)
  }
  return rows.map(({ definition }) => definition)
}

interface Lap {
  readonly timeMs: number
  readonly recordedUs: number
  readonly lapId: string
  readonly userId: string
}

async function measure(
  { rounds: count, log }: BenchContext,
  db: Kysely<Database>,
  size: Size,
): Promise<readonly Line[]> {
  const { board, entries, name } = size
  await touchAll(db, board)
  const laps = await sampleLaps(db, size)
  await assertRanks(db, board, laps.slice(0, 20))
  let turn = 0
  const next = () => laps[turn++ % laps.length]!
  const atRandom = () => readPageAt(db, board, { skip: Math.floor(Math.random() * (entries - 50)), size: 50 })
  const depths = Array.from({ length: 10 }, (_, i) => Math.floor(((entries - 50) * (i + 1)) / 10))
  log(`leaderboard: ${count} rounds at ${name}`)
  const subjects = [
    () => each(600, () => sql`select 1`.execute(db)),
    () => each(600, () => findRank(db, board, next())),
    // Its cost depends on the lap, so the smaller board gets more of them.
    () => each(Math.ceil(40_000_000 / entries), () => countedRank(db, board, next())),
    () => each(300, () => readPageAt(db, board, { skip: 0, size: 50 })),
    () => each(300, atRandom),
    async () => {
      const medians: number[] = []
      for (const skip of depths)
        medians.push(await each(100, () => readPageAt(db, board, { skip, size: 50 })))
      return Math.max(...medians)
    },
    () => each(300, () => readPageAfter(db, board, { after: next(), size: 50 })),
    () => each(300, () => readWindow(db, board, { userId: next().userId, size: 10 })),
  ]
  // Warms up: plans and first reads.
  await rounds(1, subjects)
  const [one, rank, counted, first, random, deepest, after, window] = (await rounds(count, subjects)) as [
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
  ]
  const line = (what: string, ours: number[], peerName: string, peer: number[], atMost: number | null) => ({
    name: `${what}, ${name}`,
    unit: 'ms',
    ours: median(ours),
    peerName,
    peer: median(peer),
    ratio: pairedRatio(ours, peer),
    atMost,
  })
  return [
    line('rank of a lap', rank, 'select 1', one, size.rankAtMost),
    line('rank of a lap', rank, 'count(*)', counted, size.countAtMost),
    line('page of 50 at the slowest of ten depths', deepest, 'first page', first, 2),
    line('page of 50 at a random rank', random, 'first page', first, 2),
    line('page of 50 after a random lap', after, 'first page', first, null),
    line('place of a random driver and nine around', window, 'first page', first, null),
  ]
}

/**
 * Reads everything that a page may read, so that the server's process has mapped all buffers. A connection in
 * production maps them over a day; a new one has mapped none.
 */
async function touchAll(db: Kysely<Database>, board: Board): Promise<void> {
  await sql`select count(*), sum(length(display_name)) from driver where id > 0`.execute(db)
  await sql`select count(*) from driver where user_id > ''`.execute(db)
  await sql`select count(*), sum(time_ms) from entry where board_id = ${boardId(board)} and is_counted`.execute(
    db,
  )
}

async function sampleLaps(db: Kysely<Database>, { board, entries }: Size): Promise<readonly Lap[]> {
  const ids = Array.from({ length: 2_000 }, () => 1 + Math.floor(Math.random() * entries))
  const { rows } = await sql<{ time_ms: number; recorded_us: string; lap_id: string; user_id: string }>`
    select time_ms, recorded_us, lap_id, user_id from entry join driver on driver.id = driver_id
    where board_id = ${boardId(board)} and driver_id = any(${ids}::int[])`.execute(db)
  return rows.map(row => ({
    timeMs: row.time_ms,
    recordedUs: Number(row.recorded_us),
    lapId: row.lap_id,
    userId: row.user_id,
  }))
}

/** Counts the laps before the lap: the cost of an exact rank without buckets. */
async function countedRank(db: Kysely<Database>, board: Board, lap: Lap): Promise<number> {
  const { rows } = await sql<{ rank: number }>`select (1 + count(*))::int as rank from entry
    where board_id = ${boardId(board)} and is_counted
      and (time_ms, recorded_us, lap_id) < (${lap.timeMs}::int, ${lap.recordedUs}::bigint, ${lap.lapId}::uuid)`.execute(
    db,
  )
  return rows[0]!.rank
}

/** Rejects wrong ranks: a fast but wrong rank is not worth measuring. */
async function assertRanks(db: Kysely<Database>, board: Board, laps: readonly Lap[]): Promise<void> {
  for (const lap of laps) {
    const rank = await countedRank(db, board, lap)
    const [page, window] = [
      await readPageAt(db, board, { skip: rank - 1, size: 1 }),
      await readWindow(db, board, { userId: lap.userId, size: 1 }),
    ]
    const found = [await findRank(db, board, lap), page.rows[0]?.rank, window.me?.rank]
    if (found.some(one => one !== rank) || page.rows[0]?.lapId !== lap.lapId) {
      throw new Error(`A lap has rank ${rank} and was found at ${found.join(', ')}.`)
    }
  }
}

/** Returns the median milliseconds of a call. */
async function each(times: number, call: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    const begin = performance.now()
    await call()
    taken.push(performance.now() - begin)
  }
  return median(taken)
}
