import { AppError, syncHook } from '@lapwing/http'
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
import type { GatewayCode } from './errors.ts'
import type { FindPrincipal, SignedIn } from './find-principal.ts'
import type { Route } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal and its signed header; null on `public` routes and for anonymous clients. */
    signedIn: SignedIn | null
  }
}

/** The two steps that apply an access level. The rate limit, which counts by account, runs between them. */
export interface Authorise {
  /** Sets `request.signedIn`; null if the access level needs no principal. */
  readonly identify: onRequestAsyncHookHandler | null
  /**
   * Rejects with `gateway.unauthorized` if the route needs a session and the request has none. Rejects with
   * `gateway.insufficient_scope` if a connected app calls without the route's scope, and with `gateway.read_only` if
   * an operator who acts for a driver would change something. Null if the access level rejects nobody.
   */
  readonly enforce: onRequestHookHandler | null
}

/**
 * Returns the steps of a route. Only `Authorization: Bearer` identifies a principal. A page of another site can send
 * cookies but not that header, so it can never act in a driver's name (D-14).
 */
export function addAuthorisation(
  app: FastifyInstance,
  find: FindPrincipal | null,
): (route: Pick<Route, 'access' | 'scope'>) => Authorise {
  app.decorateRequest('signedIn', null)

  const required: onRequestAsyncHookHandler = async request => {
    if (find !== null) request.signedIn = await find(request.headers.authorization)
  }
  // If the session lookup fails, continue as anonymous: the route allows it.
  const optional: onRequestAsyncHookHandler = async request => {
    if (find === null) return
    try {
      const signedIn = await find(request.headers.authorization)
      // A connected app cannot act as the person here, so it is anonymous.
      request.signedIn = signedIn?.scopes === undefined ? signedIn : null
    } catch (error) {
      request.log.warn({ err: error }, 'session lookup failed; the request continues as anonymous')
    }
  }

  return ({ access, scope }) => {
    if (access === 'public') return { identify: null, enforce: null }
    if (access === 'optional') return { identify: optional, enforce: null }
    return {
      identify: required,
      enforce: syncHook(request => {
        requireSignedIn(request)
        requireScope(request, scope)
        refuseImpersonatedChange(request)
      }),
    }
  }
}

function requireSignedIn({ signedIn, headers }: FastifyRequest): void {
  if (signedIn !== null) return
  throw new AppError<GatewayCode>('gateway.unauthorized', {
    headers: { 'www-authenticate': 'Bearer' },
    ...(headers.authorization !== undefined && {
      detail: 'Session expired. Please sign in again.',
    }),
  })
}

/** Rejects a connected app that lacks the scope of the route, and every app on a route without one. */
function requireScope({ signedIn }: FastifyRequest, scope: Route['scope']): void {
  const granted = signedIn?.scopes
  if (granted === undefined || (scope !== undefined && granted.includes(scope))) return
  throw new AppError<GatewayCode>('gateway.insufficient_scope', {
    headers: {
      'www-authenticate': `Bearer error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`,
    },
    ...(scope === undefined && { detail: 'No connected app may do this.' }),
  })
}

/** Rejects a change by an operator who acts for a driver. */
function refuseImpersonatedChange({ signedIn, method }: FastifyRequest): void {
  if (signedIn?.isImpersonated && !SAFE_METHODS.has(method))
    throw new AppError<GatewayCode>('gateway.read_only')
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
