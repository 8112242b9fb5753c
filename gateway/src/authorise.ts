import { AppError } from '@lapwing/http'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { GatewayCode } from './errors.ts'
import type { FindPrincipal, SignedIn } from './find-principal.ts'
import type { Access } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal and its signed header; null on `public` routes and for anonymous clients. */
    signedIn: SignedIn | null
  }
}

/** The two steps that apply an access level. The rate limit, which counts by account, runs between them. */
export interface Authorise {
  /** Sets `request.signedIn`. */
  readonly identify: onRequestAsyncHookHandler
  /**
   * Rejects with `gateway.unauthorized` if the route needs a session and the request has none. Rejects with
   * `gateway.read_only` if an operator who acts for a driver would change something.
   */
  readonly enforce: onRequestAsyncHookHandler
}

/**
 * Returns the steps of each access level. Only `Authorization: Bearer` identifies a principal. A page of
 * another site can send cookies but not that header, so it can never act in a driver's name (D-14).
 */
export function addAuthorisation(
  app: FastifyInstance,
  find: FindPrincipal | null,
): (access: Access) => Authorise {
  app.decorateRequest('signedIn', null)

  const steps: Readonly<Record<Access, Authorise>> = {
    public: { identify: pass, enforce: pass },
    'signed-in': {
      async identify(request) {
        if (find !== null) request.signedIn = await find(request.headers.authorization)
      },
      async enforce(request) {
        if (request.signedIn?.isImpersonated && !SAFE_METHODS.has(request.method)) {
          throw new AppError<GatewayCode>('gateway.read_only')
        }
        if (request.signedIn !== null) return
        throw new AppError<GatewayCode>('gateway.unauthorized', {
          headers: { 'www-authenticate': 'Bearer' },
          ...(request.headers.authorization !== undefined && {
            detail: 'Session expired. Please sign in again.',
          }),
        })
      },
    },
    // If the session lookup fails, continue as anonymous: the route allows it.
    optional: {
      async identify(request) {
        if (find === null) return
        try {
          request.signedIn = await find(request.headers.authorization)
        } catch (error) {
          request.log.warn({ err: error }, 'session lookup failed; the request continues as anonymous')
        }
      },
      enforce: pass,
    },
  }
  return access => steps[access]
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

async function pass(): Promise<void> {}
