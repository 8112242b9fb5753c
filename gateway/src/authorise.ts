import { AppError } from '@lapwing/http'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { GatewayCode } from './errors.ts'
import type { FindPrincipal, SignedIn } from './find-principal.ts'
import type { Access } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, on rows that ask. */
    signedIn: SignedIn | null
  }
}

/** The two steps of a row's question who calls; what is counted by person stands between them. */
export interface Authorise {
  /** Finds out who calls. */
  readonly identify: onRequestAsyncHookHandler
  /** Lets nobody else pass. */
  readonly demand: onRequestAsyncHookHandler
}

/**
 * Only `Authorization: Bearer` says who calls, so a page of another site, which can send cookies but
 * not that header, can never act in a driver's name (D-14).
 */
export function addAuthorisation(
  app: FastifyInstance,
  find: FindPrincipal | null,
): (access: Access) => Authorise {
  app.decorateRequest('signedIn', null)

  const steps: Readonly<Record<Access, Authorise>> = {
    public: { identify: pass, demand: pass },
    'signed-in': {
      async identify(request) {
        if (find !== null) request.signedIn = await find(request.headers.authorization)
      },
      async demand(request) {
        if (request.signedIn !== null) return
        throw new AppError<GatewayCode>('gateway.unauthorized', {
          headers: { 'www-authenticate': 'Bearer' },
          ...(request.headers.authorization !== undefined && {
            detail: 'Session expired. Please sign in again.',
          }),
        })
      },
    },
    // Whoever cannot be told apart is anybody, which is what the row is open to.
    optional: {
      async identify(request) {
        if (find === null) return
        try {
          request.signedIn = await find(request.headers.authorization)
        } catch (error) {
          request.log.warn({ err: error }, 'who calls could not be found out')
        }
      },
      demand: pass,
    },
  }
  return access => steps[access]
}

async function pass(): Promise<void> {}
