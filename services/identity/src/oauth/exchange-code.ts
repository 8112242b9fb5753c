import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { createBoundedFetch } from './bounded-fetch.ts'
import { clientAuth } from './client-auth.ts'
import type { RemoteClient } from './config.ts'
import type { Flow } from './flow-cookie.ts'
import { isJson, type Json, type Profile, readProfile } from './read-profile.ts'

/**
 * Exchanges a code for a token and the token for a profile. Rejects if any answer is invalid. The
 * provider's tokens are not stored.
 */
export type ExchangeCode = (
  client: RemoteClient,
  answer: { readonly code: string; readonly flow: Flow; readonly redirectUri: string },
) => Promise<Profile>

export function createExchangeCode(options: { timeoutMs: number; now: () => Date }): ExchangeCode {
  const { timeoutMs, now } = options
  /** Cached key sets by their address, which `oauth4webapi` reads again after some minutes. */
  const keySets = new Map<string, oauth.JWKSCacheInput>()

  return async (client, { code, flow, redirectUri }) => {
    const call = callOptions(createBoundedFetch({ timeoutMs, totalMs: 3 * timeoutMs }))
    const self = { client_id: client.clientId }
    const server = {
      issuer: client.issuer ?? client.authorizeUrl,
      token_endpoint: client.tokenUrl,
      ...(client.keysUrl !== undefined && { jwks_uri: client.keysUrl }),
      ...(client.idTokenAlgorithms !== undefined && {
        id_token_signing_alg_values_supported: [...client.idTokenAlgorithms],
      }),
    }
    const grant = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      clientAuth(client, now),
      oauth.validateAuthResponse(server, self, new URLSearchParams({ code, state: flow.state }), flow.state),
      redirectUri,
      client.pkce ? flow.codeVerifier : oauth.nopkce,
      call(client.tokenUrl),
    )
    const { response, issuer = server.issuer } = await normalizeTokens(grant, client)
    const issuingServer = { ...server, issuer }
    const tokens = await oauth.processAuthorizationCodeResponse(
      issuingServer,
      self,
      response,
      client.keysUrl === undefined ? {} : { expectedNonce: flow.nonce, requireIdToken: true },
    )
    if (client.keysUrl !== undefined) {
      const keySet = keySets.get(client.keysUrl) ?? {}
      keySets.set(client.keysUrl, keySet)
      await oauth.validateApplicationLevelSignature(issuingServer, response, {
        ...call(client.keysUrl),
        [oauth.jwksCache]: keySet,
      })
    }
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const ask = (url: string) => fetchJson(url, tokens.access_token, client, call(url))
    const profile = client.profileUrl === null ? {} : object(await ask(client.profileUrl))
    if (claims !== undefined && client.profileUrl !== null && profile.sub !== claims.sub) {
      throw new Error('profile and ID token name different people')
    }
    const emails = client.emails === undefined ? undefined : await ask(client.emails.url)
    return readProfile(client, { ...(claims as Json | undefined), ...profile }, emails)
  }
}

type BoundedFetch = ReturnType<typeof createBoundedFetch>

function callOptions(fetch: BoundedFetch) {
  return (url: string) => ({
    [oauth.customFetch]: fetch as never,
    // Only for an http address that an operator configured: the table has none.
    [oauth.allowInsecureRequests]: url.startsWith('http:'),
  })
}

async function fetchJson(
  url: string,
  accessToken: string,
  client: RemoteClient,
  options: ReturnType<ReturnType<typeof callOptions>>,
): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  if (client.profileClientHeader !== undefined) headers.set(client.profileClientHeader, client.clientId)
  const response = await oauth.protectedResourceRequest(
    accessToken,
    'GET',
    new URL(url),
    headers,
    null,
    options,
  )
  if (response.status !== 200)
    throw new Error(`the provider answered the profile request with ${response.status}`)
  return response.json()
}

/**
 * Normalises harmless deviations from RFC 6749: scopes as a list (Twitch), no token type (LinkedIn,
 * sometimes Facebook). Drops an ID token that was not requested. Returns the issuer if it depends on
 * the tenant.
 */
async function normalizeTokens(
  response: Response,
  client: RemoteClient,
): Promise<{ readonly response: Response; readonly issuer?: string }> {
  if (response.status !== 200) return { response }
  const { scope, token_type = 'bearer', id_token, ...rest } = object(await response.json())
  const normalized = {
    ...rest,
    token_type,
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(' ') : scope }),
    ...(client.keysUrl !== undefined && { id_token }),
  }
  return {
    response: Response.json(normalized),
    ...(client.issuer?.includes('{tid}') && { issuer: client.issuer.replace('{tid}', tenantOf(id_token)) }),
  }
}

function tenantOf(idToken: unknown): string {
  const { tid } = decodeJwt(String(idToken))
  if (typeof tid !== 'string' || !/^[0-9a-f-]{36}$/.test(tid)) throw new Error('the ID token names no tenant')
  return tid
}

function object(value: unknown): Json {
  if (!isJson(value)) throw new Error('the answer is no object')
  return value
}
