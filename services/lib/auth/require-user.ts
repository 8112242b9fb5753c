import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import { IDENTITY_HEADER, type Principal } from './internal-identity.ts'

type Verify = (token: string) => Promise<Principal | null>

/**
 * Returns a function for `signed-in` routes. It returns the principal that the gateway signed, or throws
 * `<service>.unauthorized`. Without the header it fails closed.
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

/** Returns a function that finds the principal of a request; null for anonymous clients. */
export function optionalUser(verify: Verify): (request: FastifyRequest) => Promise<Principal | null> {
  return async request => {
    const token = request.headers[IDENTITY_HEADER]
    return typeof token === 'string' ? verify(token) : null
  }
}
