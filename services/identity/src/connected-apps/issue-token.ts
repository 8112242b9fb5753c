import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps, HandlerOf } from '../deps.ts'
import type { Work } from '../work.ts'
import { signAccessToken, signIdToken } from './app-tokens.ts'
import { authenticateApp } from './authenticate-app.ts'
import {
  ACCESS_S,
  type Authorization,
  findAuthorization,
  hasRefreshedTooOften,
  lockAuthorization,
  rotateRefreshToken,
  useCode,
} from './authorization.repository.ts'
import { type ConnectedApp, lockApp, recordEvent } from './connected-app.repository.ts'
import { endAuthorization } from './end-authorizations.ts'
import { OAuth2Error } from './oauth2-error.ts'
import { type Form, formOf, required } from './read-form.ts'

interface Issued {
  readonly authorization: Authorization
  readonly scopes: readonly string[]
  readonly refreshToken: string | null
  readonly hasIdToken: boolean
}

/** The outcome of a change. Null refuses the request, but what the change ended stays ended. */
type Outcome = Issued | null

/**
 * Issues tokens for a code or a refresh token. A second use of either means that a copy exists. Then everything that
 * came from the same code ends, because nobody knows which copy is the thief's.
 */
export function issueToken(deps: Deps): HandlerOf<'issueToken'> {
  const { db, change, limits } = deps
  return async (request, reply) => {
    await limits.count('app', { ipAddress: request.ip })
    const form = formOf(request)
    const app = await authenticateApp(db, request, form)
    const grant = grants.get(required(form, 'grant_type'))
    if (grant === undefined) throw new OAuth2Error('unsupported_grant_type')
    const { find, use } = grant
    const found = await find(deps, form)
    if (found === null || found.clientId !== app.clientId) throw new OAuth2Error('invalid_grant')
    const issued = await change(async work => {
      if ((await lockApp(work, app.clientId)) === null) return null
      const authorization = await lockAuthorization(work, found)
      return authorization && use(work, authorization, form, app)
    })
    if (issued === null) throw new OAuth2Error('invalid_grant')
    reply.header('cache-control', 'no-store')
    return {
      access_token: await signAccessToken(deps, issued.authorization, issued.scopes),
      token_type: 'Bearer' as const,
      expires_in: ACCESS_S,
      scope: issued.scopes.join(' '),
      ...(issued.refreshToken !== null && { refresh_token: issued.refreshToken }),
      ...(issued.hasIdToken && { id_token: await signIdToken(deps, issued.authorization) }),
    }
  }
}

interface Grant {
  readonly find: (deps: Pick<Deps, 'db'>, form: Form) => Promise<Authorization | null>
  readonly use: (work: Work, locked: Authorization, form: Form, app: ConnectedApp) => Promise<Outcome>
}

const ofCode: Grant = {
  find: ({ db }, form) => findAuthorization(db, { code: required(form, 'code') }),
  async use(work, authorization, form, app) {
    if (authorization.codeUsedAt !== null) return endAll(work, authorization, 'code_reused')
    // A thief who has only the code uses nothing up.
    const isValid =
      authorization.codeExpiresAt > work.now &&
      authorization.redirectUri === required(form, 'redirect_uri') &&
      hasChallenge(authorization, required(form, 'code_verifier'))
    if (!isValid) return null
    const scopes = stillAllowed(authorization, app)
    return {
      authorization,
      scopes,
      refreshToken: await useCode(work, { ...authorization, scopes }),
      hasIdToken: scopes.includes('openid'),
    }
  },
}

const ofRefreshToken: Grant = {
  find: ({ db }, form) => findAuthorization(db, { refreshToken: required(form, 'refresh_token') }),
  async use(work, authorization, form, app) {
    const granted = stillAllowed(authorization, app)
    const wanted = form.scope === undefined ? granted : form.scope.split(' ').filter(name => name !== '')
    // Before the token is used up: the app can try again without it.
    if (!wanted.every(scope => granted.includes(scope))) throw new OAuth2Error('invalid_scope')
    const refreshToken = await rotateRefreshToken(work, authorization, required(form, 'refresh_token'))
    if (refreshToken === null) return endAll(work, authorization, 'refresh_token_reused')
    // Undoes the change, so the app can use the token later.
    if (await hasRefreshedTooOften(work, authorization)) {
      throw new OAuth2Error('slow_down', { headers: { 'retry-after': '900' } })
    }
    return { authorization, scopes: [...new Set(wanted)], refreshToken, hasIdToken: false }
  },
}

const grants: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', ofCode],
  ['refresh_token', ofRefreshToken],
])

/** Returns the granted scopes without those that the operator has taken from the app since. */
function stillAllowed({ scopes }: Authorization, app: ConnectedApp): readonly string[] {
  return scopes.filter(scope => app.scopes.includes(scope))
}

async function endAll(
  work: Work,
  { authorizationId, clientId, userId }: Authorization,
  kind: 'code_reused' | 'refresh_token_reused',
): Promise<null> {
  await endAuthorization(work, authorizationId)
  await recordEvent(work, kind, clientId, { userId })
  return null
}

/** Checks PKCE (RFC 7636) with S256, the only method. */
function hasChallenge({ codeChallenge }: Authorization, verifier: string): boolean {
  const shown = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(codeChallenge)
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}
