import { acquireAccountLock, isDeleted, newId } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { busyIfUnavailable } from '../clients/busy-if-unavailable.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { goneSignal } from '../gone-signal.ts'
import { answerIngest } from './answer-ingest.ts'
import {
  findBySession,
  findWaiting,
  hasManyOpen,
  type Ingest,
  insertIngest,
  reviveFailed,
} from './ingest.repository.ts'
import { isPassing } from './ingest.ts'

type Needs = Pick<
  Deps,
  'db' | 'requirePrincipal' | 'networkDigest' | 'upload' | 'queue' | 'waiter' | 'waitMs' | 'logger' | 'now'
>

/**
 * Has a completed upload judged and waits for the outcome. Any number of calls for one upload, also at the
 * same time, make one ingest. Once the row is written the file is judged, even if this process dies.
 */
export function startIngest(needs: Needs): HandlerOf<'ingestBestFromSession'> {
  const { db, requirePrincipal, networkDigest, queue, waiter, waitMs, logger } = needs
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const { sessionId, key } = request.body
    // The client's address behind the gateway; see `trustedProxies`.
    const network = networkDigest(request.ip)
    const ingest = await findOrCreate(needs, { userId, sessionId, key, network })
    if (isFinal(ingest)) return answerIngest(reply, ingest)
    if (ingest.failure !== null) await reviveFailed(db, ingest.id)

    const queueable = await findWaiting(db, ingest.id)
    if (queueable !== null) {
      await queue.enqueue([queueable]).catch((error: unknown) => {
        logger.warn({ err: error }, 'a file could not be queued; the sweeper queues it later')
      })
    }
    const answer = await waiter.wait(ingest.id, waitMs, goneSignal(reply))
    if (answer === null) throw new AppError('ingest.unauthorized')
    return answerIngest(
      reply,
      answer === 'waiting' ? ((await findBySession(db, sessionId)) ?? ingest) : answer,
    )
  }
}

/** Returns whether no further try can change the result. */
function isFinal({ outcome, failure }: Ingest): boolean {
  return outcome !== null || (failure !== null && !isPassing(failure))
}

interface IngestRequest {
  readonly userId: string
  readonly sessionId: string
  readonly key: string
  /** See `NewIngest`. */
  readonly network: Buffer | null
}

async function findOrCreate({ db, upload, now }: Needs, requested: IngestRequest): Promise<Ingest> {
  const { userId, sessionId, key, network } = requested
  const known = await findBySession(db, sessionId)
  if (known !== null) return requireOwn(known, requested)

  const session = await busyIfUnavailable(upload.findSession(sessionId), { retryAfterS: 2 })
  if (session === null || session.user_id !== userId || session.key !== key) {
    throw new AppError('ingest.upload_not_found')
  }
  if (session.state === 'removed') throw new AppError('ingest.upload_not_found')
  const { etag, size } = session
  if (session.state !== 'completed' || etag === null) throw new AppError('ingest.not_completed')
  await db.transaction().execute(async trx => {
    await acquireAccountLock(trx, userId)
    if (await isDeleted(trx, userId)) throw new AppError('ingest.unauthorized')
    if (await hasManyOpen(trx, userId, MAX_OPEN)) {
      throw new AppError('ingest.rate_limited', {
        detail: 'Many of your files are being judged. Please let some of them finish.',
        headers: { 'retry-after': '10' },
      })
    }
    await insertIngest(trx, { id: newId(now().getTime()), userId, sessionId, key, etag, size, network })
  })
  const made = await findBySession(db, sessionId)
  if (made === null) throw new AppError('ingest.unauthorized')
  return requireOwn(made, requested)
}

/** Most files of one account that wait or are being judged, so that one account cannot block all others. */
const MAX_OPEN = 50

function requireOwn(ingest: Ingest, { userId, key }: IngestRequest): Ingest {
  if (ingest.userId !== userId || ingest.key !== key) throw new AppError('ingest.upload_not_found')
  return ingest
}
