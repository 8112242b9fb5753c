import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { AppScope } from './app-scopes.ts'
import { IDENTITY_HEADER, type Principal } from './internal-identity.ts'

type Verify = (token: string) => Promise<Principal | null>

/**
 * Returns the principal of a request. A connected app passes only with `scope`, if the person granted it. The gateway
 * has checked the same before; a route without a scope stays closed even if the gateway let an app through.
 */
export type RequirePrincipal = (request: FastifyRequest, scope?: AppScope) => Promise<Principal>

/**
 * Returns a function for `signed-in` routes. It returns the principal that the gateway signed, or throws
 * `<service>.unauthorized`. Without the header it fails closed.
 */
export function requireUser(service: string, verify: Verify): RequirePrincipal {
  return async (request, scope) => {
    const principal = await find(request, verify)
    const isAllowed =
      principal !== null &&
      (principal.scopes === undefined || (scope !== undefined && principal.scopes.includes(scope)))
    if (!isAllowed) throw new AppError(`${service}.unauthorized`)
    return principal
  }
}

/** Returns a function that finds the principal of a request; null for anonymous clients and connected apps. */
export function optionalUser(verify: Verify): (request: FastifyRequest) => Promise<Principal | null> {
  return async request => {
    const principal = await find(request, verify)
    return principal?.scopes === undefined ? principal : null
  }
}

async function find(request: FastifyRequest, verify: Verify): Promise<Principal | null> {
  const token = request.headers[IDENTITY_HEADER]
  return typeof token === 'string' ? verify(token) : null
}
