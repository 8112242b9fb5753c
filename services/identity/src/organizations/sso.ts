import { isUniqueViolation } from '@lapwing/db'
import type { FastifyReply } from 'fastify'
import type { Trx } from '../database.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { enterByProvider, findByProvider, lockProfile, type Source } from '../oauth/enter-by-provider.ts'
import { TOKEN_MINUTES } from '../oauth/finish-oauth.ts'
import type { FinishRoundTrip } from '../oauth/finish-round-trip.ts'
import type { FlowCookies } from '../oauth/flow-cookie.ts'
import type { Profile } from '../oauth/read-profile.ts'
import { redirectTo, withError } from '../oauth/redirect.ts'
import { authorizeUrl, newFlow, readRedirects } from '../oauth/start-oauth.ts'
import { withToken } from '../redirects.ts'
import { startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, issueToken, useToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { domainOf } from './auth-method.ts'
import {
  addMember,
  type Connection,
  findConnection,
  hasOwnAddress,
  lockOrganization,
  type Organization,
  organizationView,
} from './organization.repository.ts'

/** What `finishSso` stores with the token. */
interface TokenData {
  readonly connectionId: string
  readonly profile: Profile
}

/** Redirects the browser to an organization's own sign-in. Stores only a cookie. */
export function startSso(
  { settings, db, cipher }: Pick<Deps, 'settings' | 'db' | 'cipher'>,
  cookies: FlowCookies,
): HandlerOf<'startSso'> {
  return async (request, reply): Promise<FastifyReply> => {
    const { query, params } = request
    const redirects = readRedirects(settings, query)
    try {
      const connection = await requireConnection(db, cipher, params.connection_id)
      const { connectionId, client } = connection
      const flow = { ...newFlow(query.code_challenge), ...redirects }
      const hint = query.login_hint === undefined ? {} : { provider_login_hint: query.login_hint }
      const url = await authorizeUrl(client, flow, ssoCallbackUrl(settings.oauth, connectionId), hint)
      cookies.set(reply, `sso-${connectionId}`, flow)
      return redirectTo(reply, url)
    } catch (error) {
      // The page that sent the browser can show the error.
      if (!(error instanceof IdentityError) || !query.login_redirect_url) throw error
      return redirectTo(reply, withError(redirects.loginRedirect, error))
    }
  }
}

/** Redirects the browser from an organization's sign-in to the page, with a token or an error. Signs nobody in. */
export function finishSso(
  { settings, db, change, cipher }: Pick<Deps, 'settings' | 'db' | 'change' | 'cipher'>,
  finishRoundTrip: FinishRoundTrip,
): HandlerOf<'finishSso'> {
  return async (request, reply): Promise<FastifyReply> => {
    const connection = await requireConnection(db, cipher, request.params.connection_id)
    const { connectionId, client, organization } = connection
    return finishRoundTrip(request, reply, {
      name: `sso-${connectionId}`,
      client,
      query: request.query,
      redirectUri: ssoCallbackUrl(settings.oauth, connectionId),
      async land(profile, flow) {
        requireOwnEmail(organization, profile)
        const known = await findByProvider(db, sourceOf(connection), profile)
        const token = await change(work =>
          issueToken(work, {
            kind: 'sso',
            userId: known?.userId ?? null,
            data: { connectionId, profile },
            codeChallenge: flow.codeChallenge,
            minutes: TOKEN_MINUTES,
          }),
        )
        return withToken(known === null ? flow.signupRedirect : flow.loginRedirect, 'sso', token)
      },
    })
  }
}

type Body = Parameters<HandlerOf<'authenticateSso'>>[0]['body']

/** Signs in with the token that the page received after an organization's sign-in, and makes the person a member. */
export function authenticateSso(deps: Deps): HandlerOf<'authenticateSso'> {
  const { change, readClient, answerSignIn, limits, settings, enqueueMail, mailSender, cipher, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    await limits.countToken(client, existingToken('sso', request.body.token, now()))
    // The second try follows another request that has just added the address. Now the account is known.
    const { open, connection, subject } = await enter(request.body, client).catch(error => {
      if (!isUniqueViolation(error, 'email_address_key')) throw error
      return enter(request.body, client)
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {
      organization: organizationView(connection.organization),
      connection_id: connection.connectionId,
      provider_subject: subject,
    })
  }

  function enter(body: Body, client: Client) {
    return change(async work => {
      const { trx } = work
      const found = await findToken(trx, 'sso', body.token, body.code_verifier, work.now)
      const { connectionId, profile } = found.data as unknown as TokenData
      const connection = await lockConnection(trx, connectionId)
      const source = sourceOf(connection)
      const { organizationId } = connection.organization
      // Every change locks the person first and the token second, so that no two deadlock.
      await lockProfile(trx, source, profile)
      if (found.userId !== null) await lockActiveUser(trx, found.userId)
      await useToken(work, 'sso', body.token, body.code_verifier)
      // The operator can have changed the domains since the browser came back.
      requireOwnEmail(connection.organization, profile)
      const { userId, registrationId, emailId, joinedAddress } = await enterByProvider(
        work,
        limits,
        client,
        source,
        profile,
      )
      // An account that it opened before can have lost its address, or the organization its domain.
      if (!(await hasOwnAddress(trx, organizationId, userId))) {
        throw new IdentityError('sso_email_not_of_organization', {
          message:
            'Your account has no confirmed email of the organization any more. Please sign in in another way and add it.',
        })
      }
      await addMember(work, organizationId, userId)
      if (joinedAddress !== null) {
        await enqueueMail(work, 'provider_added', joinedAddress, {
          url: settings.publicOrigin.href,
          provider: source.title,
        })
      }
      const open = await startSession(work, {
        userId,
        factor: {
          type: 'sso',
          delivery_method: 'sso_oidc',
          sso_factor: {
            id: registrationId,
            organization_id: organizationId,
            connection_id: connectionId,
            provider_subject: profile.subject,
            ...(emailId !== null && { email_id: emailId }),
          },
        },
        minutes: body.session_duration_minutes,
        client,
        limits: settings,
      })
      return { open, connection, subject: profile.subject }
    })
  }

  /** Locks the organization first: an operator who turns it off waits, and then ends the new session. */
  async function lockConnection(trx: Trx, connectionId: string): Promise<Connection> {
    const { organization } = await requireConnection(trx, cipher, connectionId)
    await lockOrganization(trx, organization.organizationId)
    return requireConnection(trx, cipher, connectionId)
  }
}

async function requireConnection(...args: Parameters<typeof findConnection>): Promise<Connection> {
  const connection = await findConnection(...args)
  if (connection === null) throw new IdentityError('sso_connection_not_found')
  return connection
}

/** Returns where the accounts of a connection come from. Its `sub` names a person only within the connection. */
function sourceOf({ connectionId, organization }: Connection): Source {
  return { type: connectionId, title: organization.name, tokenKind: 'sso' }
}

/**
 * Throws `sso_email_not_of_organization` unless the organization confirms an address in exactly one of its
 * domains. Of any other address it knows nothing.
 */
function requireOwnEmail({ domains }: Organization, { email, emailVerified }: Profile): void {
  if (email !== null && emailVerified && domains.includes(readDomainOf(email))) return
  throw new IdentityError('sso_email_not_of_organization')
}

/** Returns the domain of an address; empty if it is invalid. */
function readDomainOf(email: string): string {
  try {
    return domainOf(email)
  } catch {
    return ''
  }
}

/** Returns the address that an organization registers for the connection at its issuer. */
export function ssoCallbackUrl(
  { callbackOrigin }: { readonly callbackOrigin: string },
  connectionId: string,
): string {
  return `${callbackOrigin}/v1/public/sso/${connectionId}/callback`
}
