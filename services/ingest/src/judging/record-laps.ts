import { acquireAccountLock } from '@lapwing/db'
import type { SoftContradiction } from '@lapwing/telemetry'
import { type Kysely, sql, type Transaction } from 'kysely'
import { storeSighting } from '../corners/corner.repository.ts'
import type { Database } from '../database.ts'
import type { ErrorCode } from '../errors.ts'
import {
  type Copies,
  findCopies,
  hasNewCopies,
  hasNoCopies,
  storeFingerprints,
  storeLapConflict,
} from '../fingerprints/fingerprint.repository.ts'
import { findOddGears, storeGears } from '../gears/gear-set.repository.ts'
import { type Attempt, ended, failAttempt, lockAttempt } from '../ingests/attempt.repository.ts'
import { BOARDS, type Board, type NewEntry, type Skipped } from '../ingests/ingest.ts'
import { insertLaps, type ReviewedLap } from '../laps/lap.repository.ts'
import { storePerson } from '../people/person.repository.ts'
import { type Bests, drivenLocation, isLargeBoard, noLimits } from '../review/read-bests.ts'
import { findKnownLaps, type KnownLaps, withReleased } from '../review/review.repository.ts'
import { PARTIAL_COPY, reviewReasons } from '../review/review.ts'
import {
  refreshStanding,
  type StandingChange,
  type StandingKey,
  startStanding,
} from '../standings/standing.repository.ts'
import { findOrCreateCombination, findTrack, type Track } from '../tracks/combination.repository.ts'
import { storeVote } from '../tracks/track-location.repository.ts'
import { isSameLocation, type TrackLocation } from '../tracks/track-location.ts'
import { chooseLaps } from './choose-laps.ts'
import { Superseded } from './hold-lease.ts'
import type { JudgedFile, JudgedLap } from './judged-file.ts'
import {
  type Claims,
  claimDriver,
  findFileOwner,
  OwnerRaced,
  storeConflict,
  storeFileOwner,
} from './owners.ts'

/**
 * Ends an attempt whose bytes or laps are known already, of this account or another one. Records no lap.
 * Throws `Superseded` if the attempt is not the current one.
 */
export async function settleClaimed(
  db: Kysely<Database>,
  attempt: Attempt,
  claims: Claims,
  laps: readonly JudgedLap[] = [],
): Promise<void> {
  await inAttempt(db, attempt, async trx => {
    if (await settle(trx, attempt, claims)) return
    if (await settleCopies(trx, attempt, laps, await findCopies(trx, attempt.userId, laps))) return
    // The owner's account was deleted meanwhile: the next attempt finds no owner.
    throw new OwnerRaced()
  })
}

/**
 * Records a file in one transaction: laps, ownership, standing and the end of the attempt, or nothing.
 * Returns the standing to publish; null if there is none. Throws `Superseded` if the attempt is not the
 * current one.
 *
 * @param bests the times to compare with, from `readBests` for this file
 * @param early the copies found before the transaction
 */
export async function recordLaps(
  db: Kysely<Database>,
  attempt: Attempt,
  file: JudgedFile,
  claims: Claims,
  bests: Bests,
  early: Copies,
): Promise<StandingKey | null> {
  // Without this condition a forged file of a few rows could dispute any driver's number.
  const hasCountingLap = file.laps.some(lap => lap.counts)
  const driven = drivenLocation(file)
  for (let run = 1; ; run++) {
    try {
      return await inAttempt(db, attempt, async trx => {
        if (await settle(trx, attempt, claims)) return null
        // Most files have no copy, and `record` finds copies of laps that were stored meanwhile.
        const isEarlyEnough = run === 1 && hasNoCopies(early)
        const copies = isEarlyEnough ? early : await findCopies(trx, attempt.userId, file.laps)
        if (await settleCopies(trx, attempt, file.laps, copies)) return null
        if (hasCountingLap) await storePerson(trx, attempt.userId, attempt.network)
        const track = await findTrack(trx, file.combination, driven)
        const code = locationRefusal(file.laps, track)
        if (code !== null) {
          // A moderator sees votes against a track location.
          const vote = track && driven && { trackId: track.id, userId: attempt.userId, location: driven }
          if (vote !== null) await storeVote(trx, vote)
          await failAttempt(trx, attempt, { code, detail: null })
          return null
        }
        await storeFileOwner(trx, attempt, claims)
        if (hasCountingLap) await claimDriver(trx, attempt, claims)
        // A copy of an own lap is not a new lap.
        const laps = file.laps.filter(lap => !copies.own.has(lap.id))
        return await record(trx, attempt, { ...file, laps }, { driven, track, bests, copies })
      })
    } catch (error) {
      // The next run sees what the other transaction has committed.
      if (!(error instanceof OwnerRaced) || run === 5) throw error
    }
  }
}

/**
 * Returns why laps have no board on a track with a known location; null if they have one. A lap without a
 * location is refused too, since it could be of any track.
 */
function locationRefusal(laps: readonly JudgedLap[], track: Track | null): ErrorCode | null {
  const location = track?.location ?? null
  if (location === null) return null
  const counting = laps.filter(lap => lap.counts)
  if (counting.some(lap => lap.location !== null && !isSameLocation(lap.location, location)))
    return 'ingest.driven_elsewhere'
  return counting.some(lap => lap.location === null) ? 'ingest.place_unknown' : null
}

function inAttempt<Value>(
  db: Kysely<Database>,
  attempt: Attempt,
  work: (trx: Transaction<Database>) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async trx => {
    await acquireAccountLock(trx, attempt.userId)
    if (!(await lockAttempt(trx, attempt))) throw new Superseded()
    return work(trx)
  })
}

/** Ends the attempt and returns true if an account, this or another one, has the bytes (D-10, D-11). */
async function settle(trx: Transaction<Database>, attempt: Attempt, claims: Claims): Promise<boolean> {
  const owner = await findFileOwner(trx, claims)
  if (owner === null) return false
  if (owner === attempt.userId) {
    const ofFile = sql<boolean>`lap.ingest_id = (select ingest_id from file where sha256 = ${claims.sha256})`
    await skip(trx, attempt, knownAs(await findKnownLaps(trx, ofFile)))
  } else {
    await storeConflict(trx, attempt, claims, { kind: 'file', ownerUserId: owner })
    await failAttempt(trx, attempt, { code: 'upload.belongs_to_another_driver', detail: null })
  }
  return true
}

/** Returns the outcome for known laps: held if the driver still waits for a moderator. */
function knownAs({ heldLapId, contextId }: KnownLaps): Skipped {
  if (heldLapId === null) return skipped('already_ingested', contextId)
  return { ...skipped('held_for_review', contextId), held_lap_id: heldLapId }
}

/**
 * Ends the attempt if a lap is a copy of another account's lap (D-11), or if all laps that count are copies
 * of own laps. Returns whether it did.
 */
async function settleCopies(
  trx: Transaction<Database>,
  attempt: Attempt,
  laps: readonly JudgedLap[],
  { own, others }: Copies,
): Promise<boolean> {
  const [original] = others.values()
  if (original !== undefined) {
    await storeLapConflict(trx, attempt, original)
    await failAttempt(trx, attempt, { code: 'upload.duplicate_lap', detail: null })
    return true
  }
  if (own.size === 0 || laps.some(lap => lap.counts && !own.has(lap.id))) return false
  const ids = [...own.values()].map(({ lapId }) => lapId)
  await skip(trx, attempt, knownAs(await findKnownLaps(trx, sql`lap.id = any(${ids}::uuid[])`)))
  return true
}

async function record(
  trx: Transaction<Database>,
  attempt: Attempt,
  { combination: named, laps: judged, series, sighting }: JudgedFile,
  on: {
    readonly driven: TrackLocation | null
    readonly track: Track | null
    readonly bests: Bests
    readonly copies: Copies
  },
): Promise<StandingKey | null> {
  const { driven, track, bests, copies } = on
  const { ingestId, userId } = attempt
  const combination = await findOrCreateCombination(trx, named, driven, track)
  if (driven !== null) await storeVote(trx, { trackId: combination.trackId, userId, location: driven })
  const key = { userId, combinationId: combination.combinationId }
  const { kept, leftOut } = chooseLaps(judged)
  const hasCounted = kept.some(lap => lap.counts)
  const isOther = hasCounted && combination.combinationId !== bests.combinationId
  if (isOther && (await isLargeBoard(trx, combination.combinationId))) throw new BoardMoved()
  // A small board has no limits, and limits of another board do not apply here.
  const limits = await withReleased(trx, key, isOther ? noLimits : bests.limits)
  const oddGears = await findOddGears(trx, key, named, kept)
  const laps = kept.map((lap): ReviewedLap => {
    const findings = new Set(lap.findings)
    if (oddGears.has(lap.id)) findings.add(ODD_GEARS)
    if (copies.partial.has(lap.id)) findings.add(PARTIAL_COPY)
    const reasons = reviewReasons({ ...lap, findings: [...findings] }, limits)
    return { ...lap, review: reasons.length > 0 ? 'held' : null, reviewReasons: reasons }
  })
  await insertLaps(trx, { ingestId, namedId: combination.id, ...key }, laps, series)
  await storeGears(trx, key, named, laps)
  const [original] = copies.partial.values()
  if (original !== undefined && original.userId !== userId) await storeLapConflict(trx, attempt, original)
  // The corners of a track must not move by a lap that is still held.
  if (sighting !== null && !laps.some(lap => lap.review === 'held')) {
    await storeSighting(trx, { trackId: combination.trackId, userId }, sighting)
  }
  const change = await refreshStanding(trx, key, combination)
  if (laps.some(lap => lap.review === 'held')) await startStanding(trx, key, combination.id)
  const entry = newEntryOf(change, new Set(laps.map(lap => lap.id)))
  const held = heldEntryOf(laps, change)
  const extras = {
    ...(held !== null && { held_lap_id: held.id }),
    ...(leftOut > 0 && { laps_left_out: leftOut }),
  }
  if (entry === null) {
    const why = held !== null ? 'held_for_review' : hasCounted ? 'not_faster' : 'no_complete_lap'
    await skip(trx, attempt, { ...skipped(why, change.contextId), ...extras })
  } else {
    await trx
      .updateTable('ingest')
      .set({
        state: 'recorded',
        progress: 0.95,
        outcome: JSON.stringify({ ...entry, ...extras }),
        board_id: key.combinationId,
        standing_version: change.version,
        ...ended,
      })
      .where('id', '=', ingestId)
      .execute()
  }
  // Last, so that other transactions wait for the locks only briefly.
  if (hasNewCopies(await storeFingerprints(trx, userId, laps), copies)) throw new OwnerRaced()
  return change.isOpen ? key : null
}

/** The code of the soft rule about gears, for a lap that contradicts other laps of its board. */
const ODD_GEARS: SoftContradiction = 'gear_ratio'

/** Thrown if the file now leads to another board than its bests; the next attempt reads them again. */
class BoardMoved extends Error {}

/** Returns the fastest held lap that would be a new entry; null without one. */
function heldEntryOf(laps: readonly ReviewedLap[], { after }: StandingChange): ReviewedLap | null {
  const isFaster = (lap: ReviewedLap, board: Board) =>
    lap.timeMs! < (after[board]?.timeMs ?? Number.POSITIVE_INFINITY)
  const held = laps.filter(
    lap => lap.review === 'held' && (isFaster(lap, 'complete') || (lap.isClean && isFaster(lap, 'clean'))),
  )
  return held.toSorted((a, b) => a.timeMs! - b.timeMs!)[0] ?? null
}

/** Returns the new entry if laps of this file replaced the entry of a board; null if none did. */
function newEntryOf({ before, after }: StandingChange, ownLaps: ReadonlySet<string>): NewEntry | null {
  const isNew = (board: Board): boolean =>
    after[board] !== null && after[board].id !== before[board]?.id && ownLaps.has(after[board].id)
  const boards = BOARDS.filter(isNew)
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
      ...ended,
    })
    .where('id', '=', ingestId)
    .execute()
}
