import { apiAudience } from '@lapwing/auth'
import type { components } from '@lapwing/contracts/identity'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { readSession, requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import type { Session } from '../sessions/session.repository.ts'
import { readUser } from '../users/user.ts'
import { issuerOf } from './app-tokens.ts'
import { createAuthorization } from './authorization.repository.ts'
import {
  type ConnectedApp,
  clientType,
  findApp,
  findConsent,
  lockApp,
  saveConsent,
} from './connected-app.repository.ts'
import { type OAuth2ErrorName, oauth2Errors } from './oauth2-error.ts'
import { isScope, SCOPES } from './scopes.ts'

type AuthorizeRequest = components['schemas']['AuthorizeRequest']

/** Returns what the consent page shows: the app, its scopes, and whether the person must be asked. */
export function startAuthorize(deps: Deps): HandlerOf<'startAuthorize'> {
  const { db, readClient, limits, now } = deps
  return async request => {
    const client = readClient(request)
    await limits.count('authorize', client)
    const session = await readSession(db, client, now())
    await requireComplete({ trx: db, ...deps.settings }, session)
    const { body } = request
    const app = requireRegistered(await findApp(db, body.client_id), body)
    const user = await readUser(db, session.userId)
    if (user === null) throw new IdentityError('session_not_found')
    // A request that will be refused asks nothing: the page submits it immediately, and the app gets the error.
    const isDoomed = problemOf(deps, body, grantable(app, body)) !== null
    return answer(request, {
      user_id: session.userId,
      user,
      client: {
        client_id: app.clientId,
        client_type: clientType(app),
        client_name: app.name,
        client_description: app.description,
      },
      consent_required:
        !isDoomed && needsConsent(app, body, await findConsent(db, session.userId, app.clientId)),
      scope_results: [...new Set(body.scopes)].map(scope => ({
        scope,
        is_grantable: grantable(app, body).includes(scope),
        description: isScope(scope) ? SCOPES[scope] : 'Lapwing does not offer this.',
      })),
    })
  }
}

/**
 * Decides an authorization request. Returns the app's address with a code, or with an error of OAuth. Throws if the
 * app or the address is not registered: then the browser must not be sent anywhere.
 */
export function submitAuthorize(deps: Deps): HandlerOf<'submitAuthorize'> {
  const { change, readClient, limits, mailSender } = deps
  return async request => {
    const client = readClient(request)
    await limits.count('authorize', client)
    const { body } = request
    const decided = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      const { userId } = session
      const app = requireRegistered(await lockApp(work, body.client_id), body)
      const scopes = grantable(app, body)
      const challenge = body.code_challenge ?? ''
      const problem =
        problemOf(deps, body, scopes) ??
        (/^[\w-]{43}$/.test(challenge)
          ? null
          : refusal('invalid_request', 'code_challenge is missing or no SHA-256.'))
      if (problem !== null) return problem
      const earlier = await findConsent(work.trx, userId, app.clientId)
      if (needsConsent(app, body, earlier)) {
        if (!body.consent_granted) return refusal('access_denied', 'The person did not agree.')
        await saveConsent(work, userId, app.clientId, scopes)
        if (earlier === null) await notifyOfWay(work, deps, userId, 'app_connected')
      }
      const code = await createAuthorization(work, {
        userId,
        clientId: app.clientId,
        scopes,
        redirectUri: body.redirect_uri,
        nonce: body.nonce ?? null,
        codeChallenge: challenge,
        signedInAt: lastProof(session),
      })
      return { code }
    })
    mailSender.wake()
    return answer(request, {
      redirect_uri: withParameters(body.redirect_uri, {
        ...decided,
        state: body.state,
        // Tells apps with several providers which one answered (RFC 9207).
        iss: issuerOf(deps),
      }),
      ...('code' in decided && { authorization_code: decided.code }),
    })
  }
}

/** Throws unless the app is known and the address is exactly one of its own. */
function requireRegistered(app: ConnectedApp | null, { redirect_uri }: AuthorizeRequest): ConnectedApp {
  if (app === null) throw new IdentityError('connected_app_not_found')
  if (!app.redirectUris.includes(redirect_uri)) {
    throw new IdentityError('connected_app_supplied_redirect_url_not_found_in_client')
  }
  return app
}

/** Returns the scopes that the app asks for and is registered for, in its order. */
function grantable(app: ConnectedApp, { scopes }: AuthorizeRequest): readonly string[] {
  return [...new Set(scopes)].filter(scope => isScope(scope) && app.scopes.includes(scope))
}

/**
 * Returns whether the person must agree. Apps without a secret and without an https address are always asked about:
 * another program on the same computer could pretend to be one of them.
 */
function needsConsent(app: ConnectedApp, body: AuthorizeRequest, earlier: readonly string[] | null): boolean {
  const isAssured = app.secretHash !== null || body.redirect_uri.startsWith('https:')
  const isGranted = grantable(app, body).every(scope => earlier?.includes(scope) ?? false)
  return !isAssured || !isGranted || promptsOf(body).includes('consent')
}

interface Refused {
  readonly error: string
  readonly error_description: string
}

/** Returns why a request of a registered app is refused; null if nothing is wrong with it. */
function problemOf(
  deps: Pick<Deps, 'settings'>,
  body: AuthorizeRequest,
  scopes: readonly string[],
): Refused | null {
  if (body.response_type !== 'code') {
    return refusal('unsupported_response_type', 'response_type must be code.')
  }
  if (body.code_challenge_method !== undefined && body.code_challenge_method !== 'S256') {
    return refusal('invalid_request', 'code_challenge_method must be S256.')
  }
  const resources = [body.resource ?? [], body.resources ?? []].flat()
  if (resources.some(resource => resource !== apiAudience(issuerOf(deps)))) return refusal('invalid_target')
  if (scopes.length === 0) return refusal('invalid_scope', 'The app is registered for none of these scopes.')
  if (promptsOf(body).includes('none')) {
    return refusal('interaction_required', 'Lapwing always shows its page.')
  }
  return null
}

function promptsOf({ prompt = '' }: AuthorizeRequest): readonly string[] {
  return prompt.split(' ')
}

/** Errors that only an authorization request has (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
type AuthorizeError = 'access_denied' | 'unsupported_response_type' | 'interaction_required'

function refusal(error: AuthorizeError, description: string): Refused
function refusal(error: OAuth2ErrorName, description?: string): Refused
function refusal(error: string, description?: string): Refused {
  return { error, error_description: description ?? oauth2Errors[error as OAuth2ErrorName].message }
}

/** Returns the address with further parameters; those it was registered with stay. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

/** Returns when the person last proved who they are in this session. */
function lastProof({ factors, startedAt }: Session): Date {
  const times = factors.map(({ last_authenticated_at }) => Date.parse(last_authenticated_at))
  return times.length === 0 ? startedAt : new Date(Math.max(...times))
}
