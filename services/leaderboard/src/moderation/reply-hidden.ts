import { answerUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { forServices } from '../for-services.ts'
import { isHidden } from './hide.ts'

interface Query {
  readonly lap_id: string
  readonly user_id: string
}

/**
 * Serves `GET /internal/hidden?lap_id=…&user_id=…` → `{ hidden }`: whether a moderator hides the lap or its
 * driver. ingest then does not share it as a reference. Signed with the shared key; the gateway has no route
 * to it.
 */
export function replyHidden(
  app: FastifyInstance,
  { db, internalKey }: Pick<Deps, 'db' | 'internalKey'>,
): void {
  const { reply } = answerUnavailable(
    {
      reply: async ({ lap_id, user_id }: Query) => ({
        hidden: await isHidden(db, { lapId: lap_id, userId: user_id }),
      }),
    },
    'leaderboard.busy',
  )
  app.get<{ Querystring: Query }>(
    '/internal/hidden',
    { schema: { querystring: querySchema }, onRequest: forServices(internalKey) },
    request => reply(request.query),
  )
}

const querySchema = {
  type: 'object',
  required: ['lap_id', 'user_id'],
  properties: {
    lap_id: { type: 'string', format: 'uuid' },
    user_id: { type: 'string', minLength: 1, maxLength: 200 },
  },
}
