import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { type AcceptedFormat, AppError, acceptedFormatOf, matchesTag } from '@lapwing/http'
import { isStoreError, type ObjectContent } from '@lapwing/object-store'
import type { FastifyReply } from 'fastify'
import { busyIfUnavailable } from '../clients/busy-if-unavailable.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { goneSignal } from '../gone-signal.ts'
import { findReference } from '../laps/lap.repository.ts'
import { isShown } from '../review/review.ts'
import { etagOf } from './etag.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'leaderboard' | 'store' | 'references'>

/**
 * Answers with the series of a lap, to any signed-in driver. Others than its driver get the same 404 as for
 * no lap if the lap is deleted, held or refused, or hidden by its driver or a moderator. Packed columns are
 * sent as they are stored; only JSON is written for the request.
 */
export function getReference(needs: Needs): HandlerOf<'getReference'> {
  const { db, requirePrincipal, leaderboard } = needs
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request, 'laps:read')
    const lap = await findReference(db, request.params.lapId)
    if (lap === null) throw new AppError('ingest.lap_not_found')
    if (lap.user_id !== userId) {
      if (!lap.reference_allowed || !isShown(lap.review)) throw new AppError('ingest.lap_not_found')
      const isHidden = leaderboard.isHidden({ lapId: request.params.lapId, userId: lap.user_id })
      // If leaderboard is down the lap is not sent: its boards are where drivers choose references anyway.
      const detail = 'Laps of other drivers cannot be loaded at the moment. Please try again.'
      if (await busyIfUnavailable(isHidden, { detail, retryAfterS: 5 }))
        throw new AppError('ingest.lap_not_found')
    }
    if (lap.series_key === null || lap.series_hash === null) throw noSeries()

    const format = acceptedFormatOf(request.headers)
    const etag = etagOf(lap.series_hash, format)
    const headers = {
      etag,
      vary: 'Accept, Accept-Encoding',
      // The lap can be hidden at any moment, so clients must always ask; the tag makes that cheap.
      'cache-control': 'private, no-cache',
    }
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.headers(headers).code(304).send()

    const gone = goneSignal(reply)
    try {
      const object = await open(needs, lap.series_key, gone)
      const body = await bodyOf(needs, object, format, gone)
      closeIfUnread(reply)
      if (format.encoding === 'gzip') reply.header('content-encoding', 'gzip')
      return reply.headers(headers).type(mediaTypes[format.representation]).send(body)
    } catch (error) {
      // The client has left.
      if (gone.aborted) return reply.hijack()
      throw error
    }
  }
}

const mediaTypes = { json: 'application/json; charset=utf-8', protobuf: 'application/x-protobuf' } as const

async function bodyOf(
  { references }: Needs,
  object: ObjectContent,
  { representation, encoding }: AcceptedFormat,
  signal: AbortSignal,
): Promise<Readable | Uint8Array> {
  if (representation === 'json') {
    return references.toJson({ packed: new Uint8Array(await buffer(object.body)), encoding }, signal)
  }
  if (encoding === 'gzip') return object.body
  // An error of one stream destroys the other; the reader of the answer sees it there.
  return pipeline(object.body, createGunzip(), () => undefined)
}

async function open({ store }: Needs, key: string, signal: AbortSignal): Promise<ObjectContent> {
  try {
    return await store.get(key, { signal })
  } catch (error) {
    // The lap was deleted meanwhile.
    if (isStoreError(error, 'not_found')) throw noSeries()
    if (!isStoreError(error)) throw error
    throw new AppError('ingest.store_unavailable', { cause: error, headers: { 'retry-after': '5' } })
  }
}

function noSeries(): AppError {
  return new AppError('ingest.lap_not_found', {
    detail: 'The telemetry of this lap is not stored, so it cannot be used as a reference.',
  })
}

/** Closes the connection of a client that does not read: it would hold a connection to the store. */
function closeIfUnread({ raw }: FastifyReply): void {
  const timer = setTimeout(() => raw.destroy(), ANSWER_WITHIN_MS)
  raw.once('close', () => clearTimeout(timer))
}

const ANSWER_WITHIN_MS = 60_000
