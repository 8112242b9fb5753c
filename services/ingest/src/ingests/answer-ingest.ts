import { AppError, errorEntry } from '@lapwing/http'
import type { FastifyReply } from 'fastify'
import { errors } from '../errors.ts'
import type { Ingest } from './ingest.repository.ts'

/** Replies with an ingest: 201 or 200 with its outcome, 202 while it runs. Throws the error if it failed. */
export function answerIngest(reply: FastifyReply, ingest: Ingest): FastifyReply {
  const { id, state, progress, outcome, failure } = ingest
  if (failure !== null) {
    throw new AppError(failure.code, {
      ...(failure.detail === null ? {} : { detail: failure.detail }),
      ...(errorEntry('ingest', errors, failure.code)?.status === 503
        ? { headers: { 'retry-after': '5' } }
        : {}),
    })
  }
  if (outcome !== null) {
    const isNew = 'lap_id' in outcome
    return reply.code(isNew ? 201 : 200).send({ ok: true, ingest_id: id, ...outcome })
  }
  const statusUrl = `/api/laps/ingests/${id}`
  return reply
    .code(202)
    .header('location', statusUrl)
    .send({
      ok: true,
      ingest_id: id,
      state: state === 'waiting' ? 'waiting' : 'running',
      progress,
      status_url: statusUrl,
    })
}
