import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/ingest'
import { type AcceptedFormat, AppError, acceptedFormatOf, matchesTag } from '@lapwing/http'
import { isStoreError, type ObjectContent } from '@lapwing/object-store'
import type { FastifyReply } from 'fastify'
import { busyWhereAway } from '../clients/busy-where-away.ts'
import type { Deps } from '../deps.ts'
import { goneSignal } from '../gone-signal.ts'
import { findReference } from '../laps/lap.repository.ts'
import { isShown } from '../review/review.ts'
import { etagOf } from './etag.ts'

type Needs = Pick<Deps, 'db' | 'requirePrincipal' | 'leaderboard' | 'store' | 'references'>

/**
 * A lap as series over its distance, to any signed-in driver. Of a lap that is deleted, that its driver or a
 * moderator hides, or that is held for review or refused, others hear what they hear of one that never was. The stored object is sent as it lies there
 * where the client takes packed columns; only JSON has to be written.
 */
export function getReference(needs: Needs): Handlers<operations>['getReference'] {
  const { db, requirePrincipal, leaderboard } = needs
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const lap = await findReference(db, request.params.lapId)
    if (lap === null) throw new AppError('ingest.lap_not_found')
    if (lap.user_id !== userId) {
      if (!lap.reference_allowed || !isShown(lap.review)) throw new AppError('ingest.lap_not_found')
      const isHidden = leaderboard.isHidden({ lapId: request.params.lapId, userId: lap.user_id })
      // What cannot be asked about is not given: who is compared with is chosen on leaderboard's boards anyway.
      const detail = 'Laps of other drivers cannot be compared with at this moment. Try again shortly.'
      if (await busyWhereAway(isHidden, { detail, retryAfterS: 5 }))
        throw new AppError('ingest.lap_not_found')
    }
    if (lap.series_key === null || lap.series_hash === null) throw noSeries()

    const format = acceptedFormatOf(request.headers)
    const etag = etagOf(lap.series_hash, format)
    const headers = {
      etag,
      vary: 'Accept, Accept-Encoding',
      // It may be hidden at any moment, so every use is asked for; the tag makes that cheap.
      'cache-control': 'private, no-cache',
    }
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.headers(headers).code(304).send()

    const gone = goneSignal(reply)
    try {
      const object = await open(needs, lap.series_key, gone)
      const body = await bodyOf(needs, object, format, gone)
      giveUpLater(reply)
      if (format.encoding === 'gzip') reply.header('content-encoding', 'gzip')
      return reply.headers(headers).type(mediaTypes[format.representation]).send(body)
    } catch (error) {
      // Nobody is there to be answered.
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
    return references.toJson(new Uint8Array(await buffer(object.body)), encoding, signal)
  }
  if (encoding === 'gzip') return object.body
  // What goes wrong with the one ends the other; who reads it is told there.
  return pipeline(object.body, createGunzip(), () => undefined)
}

async function open({ store }: Needs, key: string, signal: AbortSignal): Promise<ObjectContent> {
  try {
    return await store.get(key, { signal })
  } catch (error) {
    // Deleted in this moment.
    if (isStoreError(error, 'not_found')) throw noSeries()
    if (!isStoreError(error)) throw error
    throw new AppError('ingest.store_unavailable', { cause: error, headers: { 'retry-after': '5' } })
  }
}

function noSeries(): AppError {
  return new AppError('ingest.lap_not_found', {
    detail: 'The telemetry of this lap is not kept, so it cannot be used as a reference.',
  })
}

/** A client that does not read holds a connection to the store. */
function giveUpLater({ raw }: FastifyReply): void {
  const timer = setTimeout(() => raw.destroy(), ANSWER_WITHIN_MS)
  raw.once('close', () => clearTimeout(timer))
}

const ANSWER_WITHIN_MS = 60_000
