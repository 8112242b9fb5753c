import type { TempFolder } from '@lapwing/files/temp-folder'
import { ServiceUnavailable } from '@lapwing/internal'
import { isStoreError, type ObjectStore } from '@lapwing/object-store'
import { withSpan } from '@lapwing/tracing'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LeaderboardClient } from '../clients/leaderboard-client.ts'
import type { createSemaphore } from '../clients/semaphore.ts'
import type { Database } from '../database.ts'
import type { ErrorCode } from '../errors.ts'
import { findCopies } from '../fingerprints/fingerprint.repository.ts'
import {
  type Attempt,
  claim,
  failAttempt,
  handBackAttempt,
  retryAttempt,
} from '../ingests/attempt.repository.ts'
import { findWaiting } from '../ingests/ingest.repository.ts'
import type { IngestQueue } from '../ingests/ingest-queue.ts'
import { readBests } from '../review/read-bests.ts'
import { pushStanding } from '../standings/push-standing.ts'
import type { StandingKey } from '../standings/standing.repository.ts'
import { fetchFile } from './fetch-file.ts'
import { holdLease, type Lease, Superseded } from './hold-lease.ts'
import { Refusal } from './judge-file.ts'
import { judgeSeconds, sizeLabel } from './judge-metrics.ts'
import { type HashedFile, type JudgePool, ThreadFailed } from './judge-pool.ts'
import { findFileOwner } from './owners.ts'
import { recordLaps, settleClaimed } from './record-laps.ts'
import { storeSeries } from './store-series.ts'

export interface ProcessNeeds {
  readonly db: Kysely<Database>
  readonly store: Pick<ObjectStore, 'download' | 'put'>
  readonly pool: JudgePool
  readonly files: TempFolder
  /** Bounds the files on the disk. */
  readonly limit: ReturnType<typeof createSemaphore>
  readonly leaderboard: Pick<LeaderboardClient, 'putStanding' | 'findBests'>
  readonly queue: Pick<IngestQueue, 'enqueue'>
  readonly logger: Logger
  readonly leaseMs: number
}

/**
 * Claims an ingest and runs it: fetches and judges the file, stores the series, records the laps and
 * publishes the standing. Does nothing if the ingest cannot be claimed; rejects only if the database fails
 * while it claims. Any later fault is written to the ingest. If even that fails, the lease expires and the
 * next attempt begins.
 *
 * @param stopping aborted when this worker has no more time: its files are handed back
 */
export async function processIngest(
  needs: ProcessNeeds,
  ingestId: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db, logger, leaseMs } = needs
  const attempt = await claim(db, ingestId, { leaseMs })
  if (attempt === null) return
  if (attempt.tries > MAX_TRIES) {
    // No attempt could write its end, so the file probably kills its worker.
    await failAttempt(db, attempt, { code: 'ingest.failed', detail: null })
    logger.error({ ingest: ingestId }, 'a file failed: none of its attempts wrote a result')
    return
  }
  const open = await judge(needs, attempt, stopping)
  if (open !== null) await publishStanding(needs, open)
}

/** With pauses of 1, 2, 4, … s between them, half a minute in all. */
const MAX_TRIES = 6

/** Returns the standing to publish; null if there is none. */
async function judge(
  needs: ProcessNeeds,
  attempt: Attempt,
  stopping: AbortSignal,
): Promise<StandingKey | null> {
  const { db, store, limit, logger, leaseMs } = needs
  const lease = holdLease(db, attempt, { leaseMs, logger })
  const signal = AbortSignal.any([lease.signal, stopping])
  try {
    const file = await limit(() => fetchAndJudge(needs, attempt, lease, signal))
    lease.progress(READ)
    const claims = { sha256: file.sha256, sim: file.combination.sim, simUserId: file.simUserId }
    // Nothing is stored of a file that adds nothing or will be refused, not even for a short time.
    const copies =
      (await findFileOwner(db, claims)) === null ? await findCopies(db, attempt.userId, file.laps) : null
    const isNew = copies !== null && copies.others.size === 0
    const bests = isNew ? await readBests(needs, attempt.userId, file) : null
    if (bests !== null) await storeSeries(store, file.series, signal)
    signal.throwIfAborted()
    await lease.stop()
    if (isNew && bests !== null) {
      return await withSpan({ name: 'record laps' }, () =>
        recordLaps(db, attempt, file, claims, bests, copies),
      )
    }
    await settleClaimed(db, attempt, claims, file.laps)
    return null
  } catch (error) {
    await lease.stop()
    await endAttempt(needs, attempt, error, stopping).catch((cause: unknown) => {
      logger.error({ err: cause, ingest: attempt.ingestId }, 'the end of an attempt could not be written')
    })
    return null
  } finally {
    await lease.stop()
  }
}

async function fetchAndJudge(
  { store, pool, files }: ProcessNeeds,
  attempt: Attempt,
  lease: Lease,
  signal: AbortSignal,
): Promise<HashedFile> {
  signal.throwIfAborted()
  const path = files.newPath()
  try {
    await fetchFile(store, attempt, path, {
      signal,
      onProgress: share => lease.progress(share * FETCHED),
    })
    return await withSpan(
      { name: 'judge file', labels: { 'lapwing.file.size': sizeLabel(attempt.size) } },
      () =>
        measured(attempt.size, signal, () =>
          pool.judge(path, attempt.userId, {
            signal,
            onProgress: share => lease.progress(FETCHED + share * (READ - FETCHED)),
          }),
        ),
    )
  } finally {
    await files.removeFile(path)
  }
}

async function measured(
  bytes: number,
  signal: AbortSignal,
  judge: () => Promise<HashedFile>,
): Promise<HashedFile> {
  const size = sizeLabel(bytes)
  const begin = performance.now()
  const observe = (outcome: string) =>
    judgeSeconds.observe({ size, outcome }, (performance.now() - begin) / 1000)
  try {
    const file = await judge()
    observe('judged')
    return file
  } catch (error) {
    observe(error instanceof Refusal ? 'refused' : signal.aborted ? 'stopped' : 'failed')
    throw error
  }
}

/** Progress at which the file is fetched, and judged. */
const FETCHED = 0.5
const READ = 0.9

async function endAttempt(
  { db, queue, logger }: ProcessNeeds,
  attempt: Attempt,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  const about = { ingest: attempt.ingestId, try: attempt.tries }
  if (error instanceof Superseded) {
    logger.info(about, 'another attempt has taken over')
    return
  }
  if (error instanceof Refusal) {
    const { sha256 } = error
    const claims = sha256 === null ? null : { sha256, sim: '', simUserId: null }
    if (claims !== null && (await findFileOwner(db, claims)) !== null) {
      await settleClaimed(db, attempt, claims)
    } else await failAttempt(db, attempt, error)
    return
  }
  let delayMs = 0
  if (stopping.aborted) {
    logger.info(about, 'a file was handed back')
    await handBackAttempt(db, attempt)
  } else {
    const { code, most } = passingFailure(error)
    logger.warn({ ...about, err: error }, 'an attempt failed')
    if (attempt.tries >= most) {
      await failAttempt(db, attempt, { code, detail: null })
      return
    }
    delayMs = 1_000 * 2 ** (attempt.tries - 1)
    await retryAttempt(db, attempt, { waitMs: delayMs })
  }
  const waiting = await findWaiting(db, attempt.ingestId)
  if (waiting !== null) {
    await queue.enqueue([waiting], { delayMs }).catch((cause: unknown) => {
      logger.warn({ err: cause }, 'a file could not be queued; the sweeper queues it later')
    })
  }
}

/** Returns the error code of the ingest if the fault persists, and the most attempts. */
function passingFailure(error: unknown): { readonly code: ErrorCode; readonly most: number } {
  if (isStoreError(error)) return { code: 'ingest.store_unavailable', most: MAX_TRIES }
  // Without leaderboard no lap can be compared with its board (D-26).
  if (error instanceof ServiceUnavailable) return { code: 'ingest.busy', most: MAX_TRIES }
  // A file that fills a thread's memory, or takes too long, probably does so again.
  if (error instanceof ThreadFailed) return { code: 'ingest.failed', most: 2 }
  return { code: 'ingest.failed', most: MAX_TRIES }
}

/** Publishes a recorded standing. If that fails, the sweeper publishes it later. */
async function publishStanding(needs: ProcessNeeds, key: StandingKey): Promise<void> {
  try {
    await pushStanding(needs, key)
  } catch (error) {
    const level = error instanceof ServiceUnavailable ? 'warn' : 'error'
    needs.logger[level]({ err: error }, 'a standing could not be published; the sweeper publishes it later')
  }
}
