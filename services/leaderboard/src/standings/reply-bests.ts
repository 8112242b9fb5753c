import { answerUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import { type BoardBest, readBest } from '../boards/read-best.ts'
import { SLUG_PATTERN, toCombination, type WireCombination } from '../contexts/combination.ts'
import type { Deps } from '../deps.ts'
import { forServices } from '../for-services.ts'

interface Query extends WireCombination {
  readonly user_id: string
}

/**
 * Serves `GET /internal/bests?sim=…&track_slug=…&layout=…&car_slug=…&user_id=…`. The answer has for both
 * boards the number of real drivers and the best time of the others. ingest needs both to hold a lap for
 * review (D-26). They come from the database, not from a cached window, because a lap hidden a moment ago
 * must not count. Signed with the shared key; the gateway has no route to it.
 */
export function replyBests(
  app: FastifyInstance,
  { db, contexts, internalKey }: Pick<Deps, 'db' | 'contexts' | 'internalKey'>,
): void {
  const { reply } = answerUnavailable(
    {
      async reply(query: Query) {
        const contextId = await contexts.find(toCombination(query))
        if (contextId === null) return { complete: toWire(noDrivers), clean: toWire(noDrivers) }
        const read = (board: 'complete' | 'clean') => readBest(db, { contextId, board }, query.user_id)
        return { complete: toWire(await read('complete')), clean: toWire(await read('clean')) }
      },
    },
    'leaderboard.busy',
  )
  app.get<{ Querystring: Query }>(
    '/internal/bests',
    { schema: { querystring: querySchema }, onRequest: forServices(internalKey) },
    request => reply(request.query),
  )
}

const noDrivers: BoardBest = { drivers: 0, bestTimeMs: null }

function toWire({ drivers, bestTimeMs }: BoardBest) {
  return { drivers, best_time_ms: bestTimeMs }
}

const slug = { type: 'string', pattern: SLUG_PATTERN }

const querySchema = {
  type: 'object',
  required: ['sim', 'track_slug', 'layout', 'car_slug', 'user_id'],
  properties: {
    sim: slug,
    track_slug: slug,
    layout: slug,
    car_slug: slug,
    user_id: { type: 'string', minLength: 1, maxLength: 200 },
  },
}
