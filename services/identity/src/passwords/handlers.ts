import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { authenticatePassword } from './authenticate-password.ts'
import { checkPasswordStrength } from './check-strength.ts'
import { createPassword } from './create-password.ts'
import { resetPasswordByEmail, startPasswordReset } from './reset-by-email.ts'
import { resetPasswordByExisting, resetPasswordBySession } from './reset-known.ts'

export function passwordHandlers(deps: Deps) {
  return {
    ...admitHashing(deps, hashingHandlers(deps)),
    startPasswordReset: startPasswordReset(deps),
    checkPasswordStrength: checkPasswordStrength(deps),
  }
}

/**
 * Returns the route options of the handlers that hash. They reject before the body is read, which costs half
 * as much in a flood of requests.
 */
export function hashingRoutes(deps: Deps): Readonly<Record<string, RouteShorthandOptions>> {
  const onRequest = async () => deps.hasher.refuseIfLate()
  return Object.fromEntries(Object.keys(hashingHandlers(deps)).map(id => [id, { onRequest }]))
}

function hashingHandlers(deps: Deps) {
  return {
    createPassword: createPassword(deps),
    authenticatePassword: authenticatePassword(deps),
    resetPasswordByEmail: resetPasswordByEmail(deps),
    resetPasswordByExisting: resetPasswordByExisting(deps),
    resetPasswordBySession: resetPasswordBySession(deps),
  }
}

/** Wraps handlers that hash. Rejects a call before any work if its hash would be too late. */
function admitHashing<Handlers extends object>(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: Handlers,
): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      (request: FastifyRequest, reply: FastifyReply) =>
        hasher.admit<unknown>(async () => {
          // A client that has left needs no hash. It also has no address to count the attempt by.
          if (reply.raw.closed) throw new IdentityError('service_unavailable')
          return handle(request, reply)
        }),
    ]),
  ) as Handlers
}
