import { answerUnavailable } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { findForIngest } from '../uploads/session.repository.ts'

/**
 * Serves `GET /internal/upload-sessions/{sessionId}`, which ingest calls before it reads a file. 404 if there
 * is no such upload. Signed with the shared key; the gateway has no route to it.
 */
export function addSessionAddress(
  app: FastifyInstance,
  { db, isService, now }: Pick<Deps, 'db' | 'isService' | 'now'>,
): void {
  const { reply } = answerUnavailable(
    {
      async reply(request: FastifyRequest<{ Params: { sessionId: string } }>) {
        if (!(await isService(request.headers.authorization))) throw new AppError('upload.unauthorized')
        const session = await findForIngest(db, request.params.sessionId, now())
        if (session === null) throw new AppError('upload.not_found')
        return {
          user_id: session.userId,
          key: session.key,
          size: session.size,
          etag: session.etag,
          state: session.state,
          completed_at: session.completedAt?.toISOString() ?? null,
        }
      },
    },
    'upload.busy',
  )
  app.get<{ Params: { sessionId: string } }>(
    '/internal/upload-sessions/:sessionId',
    { schema: { params: paramsSchema, response: { 200: sessionSchema } } },
    reply,
  )
}

const paramsSchema = {
  type: 'object',
  required: ['sessionId'],
  properties: { sessionId: { type: 'string', format: 'uuid' } },
}

const sessionSchema = {
  type: 'object',
  required: ['user_id', 'key', 'size', 'etag', 'state', 'completed_at'],
  properties: {
    user_id: { type: 'string' },
    key: { type: 'string' },
    size: { type: 'integer' },
    etag: { type: ['string', 'null'] },
    state: { type: 'string', enum: ['open', 'completed', 'removed'] },
    completed_at: { type: ['string', 'null'] },
  },
}
