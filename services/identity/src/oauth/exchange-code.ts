import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { createBoundedFetch } from './bounded-fetch.ts'
import { clientAuth } from './client-auth.ts'
import type { OAuthClient } from './config.ts'
import type { Flow } from './flow-cookie.ts'
import { isJson, type Json, type Profile, readProfile } from './read-profile.ts'

/**
 * The server's half of the round trip: the code becomes a token, the token a profile. Rejects for
 * everything that is not as it should be. The provider's tokens are used here and kept nowhere.
 */
export type ExchangeCode = (
  client: OAuthClient,
  answer: { readonly code: string; readonly flow: Flow; readonly redirectUri: string },
) => Promise<Profile>

export function createExchangeCode(options: { timeoutMs: number; now: () => Date }): ExchangeCode {
  const fetch = createBoundedFetch(options.timeoutMs)

  return async (client, { code, flow, redirectUri }) => {
    const server = { issuer: client.issuer ?? client.authorizeUrl, token_endpoint: client.tokenUrl }
    const self = { client_id: client.clientId }
    const grant = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      clientAuth(client, options.now),
      oauth.validateAuthResponse(server, self, new URLSearchParams({ code, state: flow.state }), flow.state),
      redirectUri,
      client.pkce ? flow.codeVerifier : oauth.nopkce,
      requestOptions(client.tokenUrl),
    )
    const answer = await tidy(grant, client)
    const tokens = await oauth.processAuthorizationCodeResponse(
      { ...server, issuer: answer.issuer ?? server.issuer },
      self,
      answer.response,
      client.issuer === undefined ? {} : { expectedNonce: flow.nonce, requireIdToken: true },
    )
    // Not checked by its signature: it came straight from the provider over TLS (OpenID Connect Core,
    // 3.1.3.7). Issuer, audience, times and nonce are.
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const ask = (url: string) => askFor(url, tokens.access_token, client)
    const profile = client.profileUrl === null ? {} : object(await ask(client.profileUrl))
    if (claims !== undefined && client.profileUrl !== null && profile.sub !== claims.sub) {
      throw new Error('profile and ID token name different people')
    }
    const emails = client.emails === undefined ? undefined : await ask(client.emails.url)
    return readProfile(client, { ...(claims as Json | undefined), ...profile }, emails)
  }

  async function askFor(url: string, accessToken: string, client: OAuthClient): Promise<unknown> {
    const headers = new Headers({ accept: 'application/json' })
    if (client.profileClientHeader !== undefined) headers.set(client.profileClientHeader, client.clientId)
    const response = await oauth.protectedResourceRequest(
      accessToken,
      'GET',
      new URL(url),
      headers,
      null,
      requestOptions(url),
    )
    if (response.status !== 200) throw new Error(`the profile was answered with ${response.status}`)
    return response.json()
  }

  function requestOptions(url: string) {
    return {
      [oauth.customFetch]: fetch as never,
      // Only where an operator named such an address: the table has none.
      [oauth.allowInsecureRequests]: url.startsWith('http:'),
    }
  }
}

/**
 * What providers do differently from RFC 6749 that does no harm: scopes as a list (Twitch), no token
 * type (LinkedIn, Facebook at times). An ID token that was not asked for is not looked at. Tells the
 * issuer where it depends on the tenant.
 */
async function tidy(
  response: Response,
  client: OAuthClient,
): Promise<{ readonly response: Response; readonly issuer?: string }> {
  if (response.status !== 200) return { response }
  const { scope, token_type = 'bearer', id_token, ...rest } = object(await response.json())
  const tidied = {
    ...rest,
    token_type,
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(' ') : scope }),
    ...(client.issuer !== undefined && { id_token }),
  }
  return {
    response: Response.json(tidied),
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
