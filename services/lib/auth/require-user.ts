import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import { IDENTITY_HEADER, type Principal } from './internal-identity.ts'

type Verify = (token: string) => Promise<Principal | null>

/**
 * For routes that only a signed-in person may call: their identity as the gateway signed it, else
 * the service's own `<service>.unauthorized`. Without the header the service fails closed.
 */
export function requireUser(
  service: string,
  verify: Verify,
): (request: FastifyRequest) => Promise<Principal> {
  const find = optionalUser(verify)
  return async request => {
    const principal = await find(request)
    if (principal === null) throw new AppError(`${service}.unauthorized`)
    return principal
  }
}

/** The caller where there is one. */
export function optionalUser(verify: Verify): (request: FastifyRequest) => Promise<Principal | null> {
  return async request => {
    const token = request.headers[IDENTITY_HEADER]
    return typeof token === 'string' ? verify(token) : null
  }
}
