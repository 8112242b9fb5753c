import { isPartlySameLap, isSameLap } from '@lapwing/telemetry'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { JudgedLap } from '../judging/judged-file.ts'

/** A lap to search copies of. */
export type Fingerprinted = Pick<JudgedLap, 'id' | 'fingerprint'>

/** The stored lap that another lap is a copy of. */
export interface Original {
  readonly lapId: string
  readonly userId: string
}

/** Laps of a file that are copies of stored laps, by the id of the copy. */
export interface Copies {
  /** Copies of laps of the same account. */
  readonly own: ReadonlyMap<string, Original>
  /** Copies of laps of other accounts. */
  readonly others: ReadonlyMap<string, Original>
  /** Laps that have a large part of a lap of another file, of any account. */
  readonly partial: ReadonlyMap<string, Original>
}

/**
 * Finds laps that are copies of stored ones, by the index of their keys. A copy of an own lap is not reported
 * as another copy too: both accounts can own it if a moderator released it.
 */
export async function findCopies(
  db: Kysely<Database>,
  userId: string,
  laps: readonly Fingerprinted[],
): Promise<Copies> {
  const own = new Map<string, Original>()
  const others = new Map<string, Original>()
  const partial = new Map<string, Original>()
  const ofFile = new Set(laps.map(lap => lap.id))
  for (let from = 0; from < laps.length; from += LAPS_AT_ONCE) {
    const some = laps.slice(from, from + LAPS_AT_ONCE).filter(lap => lap.fingerprint !== null)
    for (const { lapId, original, isWhole } of await findOriginals(db, some)) {
      // Laps of one file that share a part are found by their joins.
      if (!isWhole && ofFile.has(original.lapId)) continue
      const found = !isWhole ? partial : original.userId === userId ? own : others
      if (!found.has(lapId)) found.set(lapId, original)
    }
  }
  for (const lapId of own.keys()) {
    others.delete(lapId)
    partial.delete(lapId)
  }
  return { own, others, partial }
}

/** Returns whether a search found nothing. */
export function hasNoCopies({ own, others, partial }: Copies): boolean {
  return own.size === 0 && others.size === 0 && partial.size === 0
}

/** Returns whether the later search found a copy that the earlier one did not. */
export function hasNewCopies(later: Copies, earlier: Copies): boolean {
  return (['own', 'others', 'partial'] as const).some(kind =>
    [...later[kind].keys()].some(id => !earlier[kind].has(id)),
  )
}

const LAPS_AT_ONCE = 50

async function findOriginals(db: Kysely<Database>, laps: readonly Fingerprinted[]) {
  if (laps.length === 0) return []
  const keys = laps.flatMap(lap => lap.fingerprint!.keys.map(key => ({ lapId: lap.id, key })))
  // Of many laps with one key only the oldest are compared, so later ones cannot hide an original.
  const { rows } = await sql<{ lap_id: string; original: string; user_id: string; descriptor: Buffer }>`
    with pair as (
      select distinct asked.lap_id, found.fingerprint_id
      from unnest(${keys.map(({ lapId }) => lapId)}::uuid[], ${keys.map(({ key }) => key)}::text[])
          as asked (lap_id, key),
        lateral (
          select fingerprint_id from lap_fingerprint_key where lap_fingerprint_key.key = asked.key
          order by fingerprint_id limit ${LAPS_A_KEY}
        ) found)
    select pair.lap_id, lap.id as original, lap.user_id, lap_fingerprint.descriptor
    from pair join lap_fingerprint on lap_fingerprint.id = pair.fingerprint_id
      join lap on lap.id = lap_fingerprint.lap_id
    where lap.id <> pair.lap_id
    order by pair.fingerprint_id`.execute(db)
  const descriptors = new Map(laps.map(lap => [lap.id, lap.fingerprint!.descriptor]))
  return rows.flatMap(({ lap_id: lapId, original, user_id: userId, descriptor }) => {
    const isWhole = isSameLap(descriptors.get(lapId)!, descriptor)
    if (!isWhole && !isPartlySameLap(descriptors.get(lapId)!, descriptor)) return []
    return [{ lapId, original: { lapId: original, userId }, isWhole }]
  })
}

/** Laps that are compared for one key; different laps hardly ever share a key. */
const LAPS_A_KEY = 20

/**
 * Stores the fingerprints of stored laps. Returns copies of laps of other files, including laps that were
 * stored meanwhile. If two accounts bring a lap at the same time, the second one finds the first: the locks
 * on the keys last from this search to the commit.
 */
export async function storeFingerprints(
  trx: Transaction<Database>,
  userId: string,
  laps: readonly Fingerprinted[],
): Promise<Copies> {
  const made = laps.filter(lap => lap.fingerprint !== null)
  for (let from = 0; from < made.length; from += LAPS_AT_ONCE) {
    const some = made.slice(from, from + LAPS_AT_ONCE)
    const keys = some.flatMap(lap => lap.fingerprint!.keys.map(key => ({ lapId: lap.id, key })))
    await sql`with made as (
        insert into lap_fingerprint (lap_id, descriptor, has_input_keys)
        select *, true from unnest(${some.map(({ id }) => id)}::uuid[],
          ${some.map(({ fingerprint }) => Buffer.from(fingerprint!.descriptor))}::bytea[])
        on conflict (lap_id) do nothing
        returning id, lap_id)
      insert into lap_fingerprint_key (key, fingerprint_id)
      select asked.key, made.id from made join unnest(${keys.map(({ lapId }) => lapId)}::uuid[],
        ${keys.map(({ key }) => key)}::text[]) as asked (lap_id, key) on asked.lap_id = made.lap_id
      on conflict do nothing`.execute(trx)
  }
  if (made.length === 0) return { own: new Map(), others: new Map(), partial: new Map() }
  await lockKeys(
    trx,
    made.flatMap(lap => lap.fingerprint!.keys),
  )
  const copies = await findCopies(trx, userId, made)
  const ofFile = new Set(made.map(lap => lap.id))
  const own = new Map([...copies.own].filter(([, original]) => !ofFile.has(original.lapId)))
  return { ...copies, own }
}

/** Locks the keys in one order. Uses 256 locks at most, since the database has room for some thousand. */
async function lockKeys(trx: Transaction<Database>, keys: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('ingest fingerprint'), place) from (
    select distinct hashtext(key) & 255 as place from unnest(${[...keys]}::text[]) as key order by 1
  ) places`.execute(trx)
}

/** Locks and returns fingerprints from before the keys of inputs, the oldest first. */
export async function lockWithoutInputKeys(trx: Transaction<Database>, limit: number) {
  return await trx
    .selectFrom('lap_fingerprint')
    .select(['id', 'descriptor'])
    .where('has_input_keys', '=', false)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Adds the keys of inputs to locked fingerprints. */
export async function storeInputKeys(
  trx: Transaction<Database>,
  ids: readonly string[],
  keys: readonly { readonly id: string; readonly key: string }[],
): Promise<void> {
  await sql`insert into lap_fingerprint_key (key, fingerprint_id)
    select * from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ id }) => id)}::bigint[])
    on conflict do nothing`.execute(trx)
  await sql`update lap_fingerprint set has_input_keys = true where id = any(${[...ids]}::bigint[])`.execute(
    trx,
  )
}

/** Removes the fingerprint of a lap. Returns false if it has none. */
export async function forgetFingerprint(db: Kysely<Database>, lapId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('lap_fingerprint')
    .where('lap_id', '=', lapId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Stores for a moderator that an account brought another account's lap. */
export async function storeLapConflict(
  trx: Transaction<Database>,
  { ingestId, userId }: { readonly ingestId: string; readonly userId: string },
  original: Original,
): Promise<void> {
  await trx
    .insertInto('lap_conflict')
    .values({
      ingest_id: ingestId,
      user_id: userId,
      owner_user_id: original.userId,
      owner_lap_id: original.lapId,
    })
    .execute()
}
