import type { components } from '@lapwing/contracts/internal'
import { sql } from 'kysely'
import { BOARD_NAMES, type Board, type BoardName, boardId } from '../boards/board.ts'
import type { Entry, LapFacts, StoredEntry } from '../boards/entry.ts'
import { findRank } from '../boards/find-rank.ts'
import { lockBoardsShared } from '../boards/lock-boards.ts'
import { replaceEntries } from '../boards/replace-entries.ts'
import { entriesIn, hiddenAmong } from '../boards/stored-entries.ts'
import type { Touched } from '../boards/touched.ts'
import type { NamedCombination } from '../contexts/combination.ts'
import { ensureContext } from '../contexts/ensure-context.ts'
import type { Db, Trx } from '../database.ts'
import { lockDriver } from '../drivers/lock-driver.ts'

/** A driver's best laps in a combination, as ingest publishes them. */
export interface Standing {
  readonly userId: string
  readonly combination: NamedCombination
  /** Grows with every change of the standing. */
  readonly version: number
  readonly complete: Entry | null
  readonly clean: Entry | null
  /** Ids of those laps that other drivers cannot use as a reference. */
  readonly unshared: readonly string[]
  /** Facts of its laps, by lap id. */
  readonly facts: ReadonlyMap<string, LapFacts>
}

export interface PutStanding {
  readonly contextId: number
  /** False if a later version is stored already, or if the driver's account was deleted. */
  readonly isApplied: boolean
  readonly ranks: Readonly<Record<BoardName, Rank>>
  readonly touched: Touched
}

/** `previous_time_ms` is the time of the entry that the stored version replaced; null if it was the first. */
type Rank = components['schemas']['Rank']

/**
 * Stores a standing. A standing is a whole state and no change, so it can arrive any number of times and in
 * any order. An older version is ignored; the same version returns the same result.
 */
export async function putStanding(db: Db, standing: Standing): Promise<PutStanding> {
  const { after, ...put } = await db.transaction().execute(async trx => {
    await lockBoardsShared(trx)
    const driver = await lockDriver(trx, standing.userId)
    const { contextId, isNameNew } = await ensureContext(trx, standing.combination)
    const names: Touched = { boards: [], catalogue: isNameNew }
    const unchanged = { contextId, isApplied: false, before: noTimes, touched: names }
    if (driver.isDeleted) return { ...unchanged, after: noEntries }
    const of: Owner = { driverId: driver.id, contextId }
    const stored = await entriesOn(trx, of)
    const known = await findStanding(trx, of)
    if (known !== null && known.version >= standing.version) {
      const isApplied = known.version === standing.version
      // Delivered again without an answer: the process that stored it may have died before it dropped the
      // cache.
      const touched = isApplied ? allOf(contextId) : names
      return { ...unchanged, isApplied, before: known.before, after: stored, touched }
    }
    const after = await asStored(trx, standing, driver.isHidden)
    const before = { complete: stored.complete?.timeMs ?? null, clean: stored.clean?.timeMs ?? null }
    await writeStanding(trx, of, standing.version, before)
    const changes = BOARD_NAMES.map(board => ({
      boardId: boardId({ contextId, board }),
      driverId: driver.id,
      before: stored[board],
      after: after[board],
    }))
    const sharing = await writeUnshared(trx, contextId, { stored, after }, standing.unshared)
    const described = await writeFacts(trx, contextId, { stored, after }, standing.facts)
    // Last, because other transactions wait for the locks that it takes.
    const { boards, catalogue } = await replaceEntries(trx, changes)
    const touched = { boards: [...boards, ...sharing, ...described], catalogue: catalogue || isNameNew }
    return { contextId, isApplied: true, before, after, touched }
  })
  const rankOn = async (board: BoardName): Promise<Rank> => {
    const entry = after[board]
    if (entry === null) return null
    const rank = entry.isCounted ? await findRank(db, { contextId: put.contextId, board }, entry) : null
    return { rank, previous_time_ms: put.before[board] }
  }
  return {
    contextId: put.contextId,
    isApplied: put.isApplied,
    ranks: { complete: await rankOn('complete'), clean: await rankOn('clean') },
    touched: put.touched,
  }
}

function allOf(contextId: number): Touched {
  return { boards: BOARD_NAMES.map(board => ({ contextId, board })), catalogue: true }
}

interface Owner {
  readonly driverId: number
  readonly contextId: number
}

type Both<Thing> = Readonly<Record<BoardName, Thing | null>>

const noEntries: Both<StoredEntry> = { complete: null, clean: null }
const noTimes: Both<number> = { complete: null, clean: null }

async function entriesOn(trx: Trx, { driverId, contextId }: Owner): Promise<Both<StoredEntry>> {
  const entries = await entriesIn(trx, driverId, contextId)
  const on = (board: BoardName) =>
    entries.find(entry => entry.boardId === boardId({ contextId, board })) ?? null
  return { complete: on('complete'), clean: on('clean') }
}

async function asStored(
  trx: Trx,
  { complete, clean }: Standing,
  isDriverHidden: boolean,
): Promise<Both<StoredEntry>> {
  const hidden = await hiddenAmong(
    trx,
    [complete, clean].flatMap(entry => entry?.lapId ?? []),
  )
  const stored = (entry: Entry | null) =>
    entry && { ...entry, isCounted: !isDriverHidden && !hidden.has(entry.lapId) }
  return { complete: stored(complete), clean: stored(clean) }
}

/**
 * Stores which laps of the standing are unshared, and deletes the flags of laps that leave the boards.
 *
 * @returns the boards that show a lap whose flag changed
 */
async function writeUnshared(
  trx: Trx,
  contextId: number,
  { stored, after }: Readonly<Record<'stored' | 'after', Both<StoredEntry>>>,
  unshared: readonly string[],
): Promise<readonly Board[]> {
  const lapIds = [stored, after].flatMap(both => BOARD_NAMES.flatMap(board => both[board]?.lapId ?? []))
  const shared = lapIds.filter(lapId => !unshared.includes(lapId))
  const { rows } = await sql<{ lap_id: string }>`
    with removed as (
      delete from unshared_lap where lap_id = any(${shared}::uuid[]) returning lap_id
    ), added as (
      insert into unshared_lap select distinct unnest(${[...unshared]}::uuid[])
      on conflict do nothing returning lap_id
    )
    select lap_id from removed union all select lap_id from added`.execute(trx)
  return boardsWith(rows, contextId, after)
}

/** Returns the boards that show one of the laps. */
function boardsWith(
  laps: readonly { readonly lap_id: string }[],
  contextId: number,
  after: Both<StoredEntry>,
): readonly Board[] {
  const changed = new Set(laps.map(row => row.lap_id))
  return BOARD_NAMES.filter(board => changed.has(after[board]?.lapId ?? '')).map(board => ({
    contextId,
    board,
  }))
}

/**
 * Stores the facts of the standing's laps, and deletes those of laps that leave the boards.
 *
 * @returns the boards that show a lap whose facts changed
 */
async function writeFacts(
  trx: Trx,
  contextId: number,
  { stored, after }: Readonly<Record<'stored' | 'after', Both<StoredEntry>>>,
  facts: Standing['facts'],
): Promise<readonly Board[]> {
  const known = [...facts].filter(([, fact]) => Object.values(fact).some(value => value !== null))
  const ids = known.map(([lapId]) => lapId)
  const before = BOARD_NAMES.flatMap(board => stored[board]?.lapId ?? [])
  const gone = [...before, ...facts.keys()].filter(lapId => !ids.includes(lapId))
  const of = <Key extends keyof LapFacts>(key: Key) => known.map(([, fact]) => fact[key])
  const { rows } = await sql<{ lap_id: string }>`
    with removed as (
      delete from lap_fact where lap_id = any(${gone}::uuid[]) returning lap_id
    ), written as (
      insert into lap_fact (lap_id, driven_ms, session_kind, air_temp_c, skies)
      select * from unnest(${ids}::uuid[], ${of('drivenMs')}::bigint[], ${of('sessionKind')}::text[],
        ${of('airTempC')}::real[], ${of('skies')}::smallint[])
      on conflict (lap_id) do update set driven_ms = excluded.driven_ms, session_kind = excluded.session_kind,
        air_temp_c = excluded.air_temp_c, skies = excluded.skies
      where (lap_fact.driven_ms, lap_fact.session_kind, lap_fact.air_temp_c, lap_fact.skies)
        is distinct from (excluded.driven_ms, excluded.session_kind, excluded.air_temp_c, excluded.skies)
      returning lap_id
    )
    select lap_id from removed union all select lap_id from written`.execute(trx)
  return boardsWith(rows, contextId, after)
}

async function findStanding(
  trx: Trx,
  { driverId, contextId }: Owner,
): Promise<{ readonly version: number; readonly before: Both<number> } | null> {
  const { rows } = await sql<{
    version: string
    complete_before_ms: number | null
    clean_before_ms: number | null
  }>`select version, complete_before_ms, clean_before_ms from standing
    where driver_id = ${driverId} and context_id = ${contextId}`.execute(trx)
  const row = rows[0]
  if (row === undefined) return null
  return {
    version: Number(row.version),
    before: { complete: row.complete_before_ms, clean: row.clean_before_ms },
  }
}

async function writeStanding(
  trx: Trx,
  { driverId, contextId }: Owner,
  version: number,
  before: Both<number>,
): Promise<void> {
  await sql`insert into standing (driver_id, context_id, version, complete_before_ms, clean_before_ms)
    values (${driverId}, ${contextId}, ${version}, ${before.complete}, ${before.clean})
    on conflict (driver_id, context_id) do update set version = excluded.version,
      complete_before_ms = excluded.complete_before_ms, clean_before_ms = excluded.clean_before_ms`.execute(
    trx,
  )
}
