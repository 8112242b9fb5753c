import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import { type Caller, identityHeader } from './internal-identity.ts'

type Verify = (token: string) => Promise<Caller | null>

/**
 * For routes that only a signed-in person may call: their identity as the gateway signed it, else
 * the service's own `<service>.unauthorized`. Without the header the service fails closed.
 */
export function requireUser(service: string, verify: Verify): (request: FastifyRequest) => Promise<Caller> {
  const find = optionalUser(verify)
  return async request => {
    const caller = await find(request)
    if (caller === null) throw new AppError(`${service}.unauthorized`)
    return caller
  }
}

/** The caller where there is one. */
export function optionalUser(verify: Verify): (request: FastifyRequest) => Promise<Caller | null> {
  return async request => {
    const token = request.headers[identityHeader]
    return typeof token === 'string' ? verify(token) : null
  }
}
