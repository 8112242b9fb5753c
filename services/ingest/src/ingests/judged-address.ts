import { createServiceTokenVerifier } from '@lapwing/auth'
import { answerUnavailable } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'

/**
 * Adds `POST /internal/judged-sessions`: returns those of the given uploads whose files wait or are being
 * judged. Upload does not remove them. Needs a token that the shared key signed. The gateway has no route.
 */
export function addJudgedAddress(
  app: FastifyInstance,
  { db, internalKey }: Pick<Deps, 'db' | 'internalKey'>,
): void {
  const isService = createServiceTokenVerifier(internalKey, 'ingest')
  const { answer } = answerUnavailable(
    {
      async answer(request: FastifyRequest<{ Body: { session_ids: string[] } }>) {
        if (!(await isService(request.headers.authorization))) throw new AppError('ingest.unauthorized')
        return { session_ids: await findJudgedSessions(db, request.body.session_ids) }
      },
    },
    'ingest.busy',
  )
  app.post<{ Body: { session_ids: string[] } }>(
    '/internal/judged-sessions',
    { schema: { body: sessionsSchema, response: { 200: sessionsSchema } } },
    answer,
  )
}

const sessionsSchema = {
  type: 'object',
  required: ['session_ids'],
  properties: {
    session_ids: { type: 'array', maxItems: 200, items: { type: 'string', format: 'uuid' } },
  },
}

async function findJudgedSessions(db: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('ingest')
    .select('upload_session_id')
    .where(sql<boolean>`upload_session_id = any(${[...ids]}::uuid[])`)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
  return rows.map(row => row.upload_session_id)
}
