import { createServiceTokenVerifier } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'

/**
 * Returns an `onRequest` hook that rejects requests of other clients than services with
 * `leaderboard.unauthorized`.
 */
export function forServices(internalKey: Uint8Array): (request: FastifyRequest) => Promise<void> {
  const verify = createServiceTokenVerifier(internalKey, 'leaderboard')
  return async request => {
    if (!(await verify(request.headers.authorization))) throw new AppError('leaderboard.unauthorized')
  }
}
