import { lockPerson } from '@lapwing/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import { keepSighting } from '../corners/corner.repository.ts'
import type { Database } from '../database.ts'
import type { ErrorCode } from '../errors.ts'
import { type Attempt, failAttempt, lockAttempt } from '../ingests/attempt.repository.ts'
import type { Board, Failure, NewEntry, Skipped } from '../ingests/ingest.ts'
import { insertLaps } from '../laps/lap.repository.ts'
import { refreshStanding, type StandingChange, type StandingKey } from '../standings/standing.repository.ts'
import { findOrMakeCombination, findTrack, type Track } from '../tracks/combination.repository.ts'
import { keepWitness } from '../tracks/place.repository.ts'
import { isSamePlace, type Place } from '../tracks/place.ts'
import { Superseded } from './hold-lease.ts'
import type { JudgedFile, JudgedLap } from './judged-file.ts'
import { type Claims, findOwners, keepConflict, OwnerRaced, type Owners, takeOwnership } from './owners.ts'

/**
 * Ends an attempt whose bytes were brought before, or whose driver is another account's, without an effect.
 * Throws `Superseded` where the attempt is not the current one any more.
 */
export async function settleClaimed(db: Kysely<Database>, attempt: Attempt, claims: Claims): Promise<void> {
  await inAttempt(db, attempt, async trx => {
    const owners = await findOwners(trx, claims)
    if (await settle(trx, attempt, claims, owners)) return
    // The owner's account was deleted in this moment: the next attempt is the first.
    throw new OwnerRaced()
  })
}

/**
 * The one transaction in which a file has its effect: laps, ownership, standing and the end of the
 * attempt together, or nothing. Answers the standing that leaderboard has to be told, null where nothing
 * of it changed. Throws `Superseded` where the attempt is not the current one any more.
 */
export async function recordLaps(
  db: Kysely<Database>,
  attempt: Attempt,
  file: JudgedFile,
  claims: Claims,
): Promise<StandingKey | null> {
  // Three rows with anybody's number would otherwise keep that driver out for good.
  const proves = file.laps.some(lap => lap.counts)
  const driven = file.laps.find(lap => lap.counts && lap.place !== null)?.place ?? null
  for (let look = 1; ; look++) {
    try {
      return await inAttempt(db, attempt, async trx => {
        const owners = await findOwners(trx, claims)
        if (await settle(trx, attempt, claims, owners)) return null
        const track = await findTrack(trx, file.combination, driven)
        const code = placeRefusal(file.laps, track)
        if (code !== null) {
          await failAttempt(trx, attempt, { code, detail: null })
          return null
        }
        await takeOwnership(trx, attempt, proves ? claims : { ...claims, simUserId: null }, owners)
        return await record(trx, attempt, file, { driven, track })
      })
    } catch (error) {
      // What another transaction has just committed is seen by the next look.
      if (!(error instanceof OwnerRaced) || look === 5) throw error
    }
  }
}

/**
 * Says why laps have no board on a track whose place is known: one was driven elsewhere, or does not say
 * where, and then may be of any. Null if they have one.
 */
function placeRefusal(laps: readonly JudgedLap[], track: Track | null): ErrorCode | null {
  const place = track?.place ?? null
  if (place === null) return null
  const counting = laps.filter(lap => lap.counts)
  if (counting.some(lap => lap.place !== null && !isSamePlace(lap.place, place)))
    return 'ingest.driven_elsewhere'
  return counting.some(lap => lap.place === null) ? 'ingest.place_unknown' : null
}

function inAttempt<Value>(
  db: Kysely<Database>,
  attempt: Attempt,
  work: (trx: Transaction<Database>) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async trx => {
    await lockPerson(trx, attempt.userId)
    if (!(await lockAttempt(trx, attempt))) throw new Superseded()
    return work(trx)
  })
}

/**
 * True where there is nothing to record: the same person brought the bytes before, or bytes or driver are
 * another account's (D-10, D-11).
 */
async function settle(
  trx: Transaction<Database>,
  attempt: Attempt,
  claims: Claims,
  { file, driver }: Owners,
): Promise<boolean> {
  const { userId } = attempt
  if (file !== null && file !== userId) await refuse(trx, attempt, claims, 'file', file)
  else if (file !== null) await skipKnown(trx, attempt, claims)
  else if (driver !== null && driver !== userId) await refuse(trx, attempt, claims, 'driver', driver)
  else return false
  return true
}

async function skipKnown(trx: Transaction<Database>, attempt: Attempt, { sha256 }: Claims): Promise<void> {
  const known = await trx
    .selectFrom('file')
    .innerJoin('lap', 'lap.ingest_id', 'file.ingest_id')
    .innerJoin('standing', join =>
      join.onRef('standing.user_id', '=', 'lap.user_id').onRef('standing.board_id', '=', 'lap.board_id'),
    )
    .select('standing.context_id')
    .where('file.sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  await skip(trx, attempt, skipped('already_ingested', known?.context_id ?? null))
}

async function refuse(
  trx: Transaction<Database>,
  attempt: Attempt,
  claims: Claims,
  kind: 'file' | 'driver',
  ownerUserId: string,
): Promise<void> {
  await keepConflict(trx, attempt, claims, { kind, ownerUserId })
  await failAttempt(trx, attempt, belongsToAnother)
}

const belongsToAnother: Failure = { code: 'upload.belongs_to_another_driver', detail: null }

async function record(
  trx: Transaction<Database>,
  attempt: Attempt,
  { combination: named, laps, series, sighting }: JudgedFile,
  { driven, track }: { readonly driven: Place | null; readonly track: Track | null },
): Promise<StandingKey | null> {
  const { ingestId, userId } = attempt
  const combination = await findOrMakeCombination(trx, named, driven, track)
  if (driven !== null) await keepWitness(trx, { trackId: combination.trackId, userId, place: driven })
  const key = { userId, boardId: combination.boardId }
  await insertLaps(trx, { ingestId, combinationId: combination.id, ...key }, laps, series)
  if (sighting !== null) await keepSighting(trx, { trackId: combination.trackId, userId }, sighting)
  const hasCounted = laps.some(lap => lap.counts)
  const change = await refreshStanding(trx, key, combination)
  const entry = newEntryOf(change, new Set(laps.map(lap => lap.id)))
  if (entry === null) {
    await skip(trx, attempt, skipped(hasCounted ? 'not_faster' : 'no_complete_lap', change.contextId))
  } else {
    await trx
      .updateTable('ingest')
      .set({
        state: 'recorded',
        progress: 0.95,
        outcome: JSON.stringify(entry),
        board_id: key.boardId,
        standing_version: change.version,
        attempt_token: null,
        leased_until: null,
      })
      .where('id', '=', ingestId)
      .execute()
  }
  return change.isOpen ? key : null
}

/** What of the file stands on a board where something else stood before. */
function newEntryOf({ before, after }: StandingChange, ownLaps: ReadonlySet<string>): NewEntry | null {
  const isNew = (board: Board): boolean =>
    after[board] !== null && after[board].id !== before[board]?.id && ownLaps.has(after[board].id)
  const boards = (['complete', 'clean'] as const).filter(isNew)
  const first = boards[0]
  if (first === undefined) return null
  return {
    lap_id: after[first]!.id,
    best_lap_time_ms: after[first]!.timeMs,
    previous_best_ms: before[first]?.timeMs ?? null,
    boards,
  }
}

function skipped(why: Skipped['skipped'], contextId: number | null): Skipped {
  return contextId === null ? { skipped: why } : { skipped: why, context_id: contextId }
}

async function skip(trx: Transaction<Database>, { ingestId }: Attempt, outcome: Skipped): Promise<void> {
  await trx
    .updateTable('ingest')
    .set({
      state: 'done',
      progress: 1,
      outcome: JSON.stringify(outcome),
      finished_at: sql`now()`,
      attempt_token: null,
      leased_until: null,
    })
    .where('id', '=', ingestId)
    .execute()
}
