import { lockPerson } from '@lapwing/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { type Attempt, failAttempt, lockAttempt } from '../ingests/attempt.repository.ts'
import type { Board, Failure, NewEntry, Skipped } from '../ingests/ingest.ts'
import { insertLaps } from '../laps/lap.repository.ts'
import { keepPerson } from '../people/person.repository.ts'
import { refreshStanding, type StandingChange, type StandingKey } from '../standings/standing.repository.ts'
import { findOrMakeCombination, findTrack, type Track } from '../tracks/combination.repository.ts'
import { keepWitness } from '../tracks/place.repository.ts'
import { isSamePlace, type Place } from '../tracks/place.ts'
import { Superseded } from './hold-lease.ts'
import type { JudgedFile, JudgedLap } from './judged-file.ts'
import { type Claims, claimDriver, findFileOwner, keepConflict, OwnerRaced, takeFile } from './owners.ts'

/**
 * Ends an attempt whose bytes were brought before, without an effect. Throws `Superseded` where the
 * attempt is not the current one any more.
 */
export async function settleClaimed(db: Kysely<Database>, attempt: Attempt, claims: Claims): Promise<void> {
  await inAttempt(db, attempt, async trx => {
    if (await settle(trx, attempt, claims)) return
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
  // Three rows with anybody's number would otherwise dispute that driver's number.
  const proves = file.laps.some(lap => lap.counts)
  const driven = file.laps.find(lap => lap.counts && lap.place !== null)?.place ?? null
  for (let look = 1; ; look++) {
    try {
      return await inAttempt(db, attempt, async trx => {
        if (await settle(trx, attempt, claims)) return null
        if (proves) await keepPerson(trx, attempt.userId, attempt.network)
        const track = await findTrack(trx, file.combination, driven)
        if (track !== null && file.laps.some(lap => isElsewhere(lap, track))) {
          const vote = { trackId: track.id, userId: attempt.userId }
          if (driven !== null) await keepWitness(trx, { ...vote, place: driven })
          await failAttempt(trx, attempt, { code: 'ingest.driven_elsewhere', detail: null })
          return null
        }
        await takeFile(trx, attempt, claims)
        if (proves) await claimDriver(trx, attempt, claims)
        return await record(trx, attempt, file, { driven, track })
      })
    } catch (error) {
      // What another transaction has just committed is seen by the next look.
      if (!(error instanceof OwnerRaced) || look === 5) throw error
    }
  }
}

/** Where the place of a track is known, a lap that does not say its own may be of any. */
function isElsewhere(lap: JudgedLap, { place }: Track): boolean {
  return lap.counts && place !== null && (lap.place === null || !isSamePlace(lap.place, place))
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

/** True where there is nothing to record: the bytes were brought before, by this account or another (D-10, D-11). */
async function settle(trx: Transaction<Database>, attempt: Attempt, claims: Claims): Promise<boolean> {
  const owner = await findFileOwner(trx, claims)
  if (owner === null) return false
  if (owner === attempt.userId) await skipKnown(trx, attempt, claims)
  else await refuse(trx, attempt, claims, owner)
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
  ownerUserId: string,
): Promise<void> {
  await keepConflict(trx, attempt, claims, { kind: 'file', ownerUserId })
  await failAttempt(trx, attempt, belongsToAnother)
}

const belongsToAnother: Failure = { code: 'upload.belongs_to_another_driver', detail: null }

async function record(
  trx: Transaction<Database>,
  attempt: Attempt,
  { combination: named, laps, series }: JudgedFile,
  { driven, track }: { readonly driven: Place | null; readonly track: Track | null },
): Promise<StandingKey | null> {
  const { ingestId, userId } = attempt
  const combination = await findOrMakeCombination(trx, named, driven, track)
  if (driven !== null) await keepWitness(trx, { trackId: combination.trackId, userId, place: driven })
  const key = { userId, boardId: combination.boardId }
  await insertLaps(trx, { ingestId, combinationId: combination.id, ...key }, laps, series)
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
