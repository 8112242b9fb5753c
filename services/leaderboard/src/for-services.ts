import { createServiceTokenVerifier } from '@lapwing/auth'
import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'

/** For the `onRequest` of what only other services may ask. Throws `leaderboard.unauthorized` for anybody else. */
export function forServices(internalKey: Uint8Array): (request: FastifyRequest) => Promise<void> {
  const verify = createServiceTokenVerifier(internalKey, 'leaderboard')
  return async request => {
    if (!(await verify(request.headers.authorization))) throw new AppError('leaderboard.unauthorized')
  }
}
