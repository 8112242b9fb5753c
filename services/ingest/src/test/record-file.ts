import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Bests, LeaderboardClient } from '../clients/leaderboard-client.ts'
import type { Sighting } from '../corners/sighting.ts'
import type { Database } from '../database.ts'
import { findCopies } from '../fingerprints/fingerprint.repository.ts'
import { claim } from '../ingests/attempt.repository.ts'
import { insertIngest } from '../ingests/ingest.repository.ts'
import type { FileCombination, JudgedFile, JudgedLap } from '../judging/judged-file.ts'
import { recordLaps } from '../judging/record-laps.ts'
import { lapId } from '../lap-id.ts'
import { readBests } from '../review/read-bests.ts'
import { aJudgedLap } from './a-judged-lap.ts'

export interface FileToRecord {
  /** Files with the same seed have the same hash. */
  readonly seed?: string
  /** `aCombination` unless given. */
  readonly combination?: FileCombination
  readonly laps: readonly Partial<JudgedLap>[]
  /** The corners that the first lap shows. */
  readonly sighting?: Omit<Sighting, 'lapId'>
  /** Leaderboard's answer for the board; an empty board unless given. */
  readonly findBests?: LeaderboardClient['findBests']
  readonly simUserId?: string | null
  /** Digest of the network of the request; the account's own unless given. */
  readonly network?: Buffer | null
}

export interface RecordedFile {
  readonly ingest: {
    readonly state: string
    readonly failure_code: string | null
    readonly outcome: Record<string, unknown> | null
  }
  /** Ids of its laps, in their order. */
  readonly ids: readonly string[]
}

/** Records a file as if it had been judged: with complete laps that count, unless a lap says otherwise. */
export async function recordFile(
  db: Kysely<Database>,
  userId: string,
  file: FileToRecord,
): Promise<RecordedFile> {
  const { seed = randomUUID(), combination = aCombination, laps, simUserId = null, sighting } = file
  const { findBests = async () => nobody } = file
  const { network = createHash('sha256').update(userId).digest() } = file
  const sha256 = createHash('sha256').update(seed).digest()
  const ingest = { id: randomUUID(), sessionId: randomUUID(), key: 'uploads/none', etag: '"none"', size: 1 }
  // In one transaction, so that no running worker claims it.
  const attempt = await db.transaction().execute(async trx => {
    await insertIngest(trx, { userId, network, ...ingest })
    return claim(trx, ingest.id, { leaseMs: 60_000 })
  })
  assert.ok(attempt)
  const judged = laps.map((lap, segment) => aJudgedLap(lapId(sha256, userId, segment), segment, lap))
  const seen = sighting === undefined ? null : { ...sighting, lapId: judged[0]!.id }
  const judgedFile: JudgedFile = { combination, simUserId, laps: judged, series: [], sighting: seen }
  const bests = await readBests({ db, leaderboard: { findBests } }, userId, judgedFile)
  const copies = await findCopies(db, userId, judged)
  await recordLaps(db, attempt, judgedFile, { sha256, sim: combination.sim, simUserId }, bests, copies)
  const row = await db
    .selectFrom('ingest')
    .select(['state', 'failure_code', 'outcome'])
    .where('id', '=', ingest.id)
    .executeTakeFirstOrThrow()
  return {
    ingest: { ...row, outcome: row.outcome as Record<string, unknown> | null },
    ids: judged.map(lap => lap.id),
  }
}

const nobody: Bests = {
  complete: { drivers: 0, best_time_ms: null },
  clean: { drivers: 0, best_time_ms: null },
}

export const aCombination: FileCombination = {
  sim: 'iracing',
  track_slug: 'ring',
  layout: 'default',
  car_slug: 'car',
  track_label: 'Ring',
  car_label: 'Car',
  sim_track_id: 1,
  sim_car_id: null,
}
