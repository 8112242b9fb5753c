import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import {
  ACCESS_TOKEN_TYPE,
  AUTHORIZATION_CLAIM,
  createPrincipalVerifier,
  createServiceTokenVerifier,
  IDENTITY_HEADER,
  SESSION_CLAIM,
} from '@lapwing/auth'
import { createLogger } from '@lapwing/http'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { loadConfig } from '../config.ts'
import { createDeps } from '../deps.ts'
import { startGateway, type TestGateway } from './gateway.ts'
import { type FakeUpstream, fakeUpstream } from './upstream.ts'

export const internalKey = 'an internal key of 32 characters'
export const keyBytes = new TextEncoder().encode(internalKey)

const { publicKey, privateKey } = await generateKeyPair('RS256')
export const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

/** Claims of a session token that a test can replace. */
export interface Claims {
  readonly sessionId?: string
  readonly userId?: string
  readonly issuer?: string
  readonly audience?: string
  readonly issuedAtS?: number
  readonly expiresAtS?: number
  readonly key?: CryptoKey
  readonly typ?: string
}

/** Signs a session token as identity does. */
export function sessionToken(claims: Claims = {}): Promise<string> {
  const issuedAtS = claims.issuedAtS ?? Math.floor(Date.now() / 1000)
  return new SignJWT({ [SESSION_CLAIM]: { id: claims.sessionId ?? 'session-live-1', roles: ['driver'] } })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: claims.typ ?? 'JWT' })
    .setSubject(claims.userId ?? 'user-live-1')
    .setIssuer(claims.issuer ?? 'stytch.com/project-live-lapwing')
    .setAudience(claims.audience ?? 'project-live-lapwing')
    .setIssuedAt(issuedAtS)
    .setNotBefore(issuedAtS)
    .setExpirationTime(claims.expiresAtS ?? issuedAtS + 3_600)
    .sign(claims.key ?? privateKey)
}

/** Claims of an access token that a test can replace. */
export interface AccessClaims {
  readonly scope?: string
  readonly clientId?: string
  readonly authorizationId?: string | undefined
  readonly issuer?: string
  readonly audience?: string
  readonly typ?: string
  /** Seconds; negative for a token that has expired. */
  readonly livesS?: number
}

/** Signs an access token of a connected app as identity does, by default with all scopes of the API. */
export function accessToken(claims: AccessClaims = {}): Promise<string> {
  const issuedAtS = Math.floor(Date.now() / 1000) - 120
  const authorization = 'authorizationId' in claims ? claims.authorizationId : 'app-authorization-live-1'
  return new SignJWT({
    client_id: claims.clientId ?? 'app-1',
    scope: claims.scope ?? 'laps:read leaderboard:read',
    [AUTHORIZATION_CLAIM]: authorization,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: claims.typ ?? ACCESS_TOKEN_TYPE })
    .setSubject('user-live-1')
    .setIssuer(claims.issuer ?? 'http://localhost:8080')
    .setAudience(claims.audience ?? 'http://localhost:8080/api')
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + 120 + (claims.livesS ?? 900))
    .sign(privateKey)
}

export async function bearer(claims: Claims = {}): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await sessionToken(claims)}` }
}

export interface FakeIdentity {
  readonly url: URL
  /** Sessions that have ended. */
  readonly ended: Set<string>
  /** Counts the lookups of sessions. */
  readonly lookups: () => number
  /** Closes the server. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the part of identity that the gateway itself uses: the key set and the lookup of sessions. The
 * hosted provider has only the key set.
 */
export async function fakeIdentity(t: TestContext, { isHosted = false } = {}): Promise<FakeIdentity> {
  const ended = new Set<string>()
  const isService = createServiceTokenVerifier(keyBytes, 'identity')
  let lookups = 0
  const server = createServer(async (request, response) => {
    const sessionId = isHosted ? undefined : /^\/internal\/sessions\/([^/]+)$/.exec(request.url!)?.[1]
    response.setHeader('content-type', 'application/json')
    if (request.url === '/v1/sessions/jwks/project-live-lapwing') {
      response.end(JSON.stringify({ keys: [jwk] }))
    } else if (sessionId !== undefined && (await isService(request.headers.authorization))) {
      lookups += 1
      response.end(JSON.stringify({ session_id: sessionId, active: !ended.has(sessionId) }))
    } else {
      response.writeHead(sessionId === undefined ? 404 : 401).end('{}')
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  t.after(stop)
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ended,
    lookups: () => lookups,
    stop,
  }
}

export interface AccountsGateway extends TestGateway {
  readonly identity: FakeIdentity
  readonly account: FakeUpstream
}

/**
 * Starts the gateway with its production dependencies, before an account service that replies with the
 * principal. With `hasBoards` the same service answers for upload, ingest and leaderboard, too.
 */
export async function startWithAccounts(
  t: TestContext,
  {
    identity,
    hasBoards = false,
    env = {},
  }: { identity?: FakeIdentity; hasBoards?: boolean; env?: Record<string, string> } = {},
): Promise<AccountsGateway> {
  const readPrincipal = createPrincipalVerifier(keyBytes)
  const account = await fakeUpstream(t, async (request, response) => {
    const principal = await readPrincipal(String(request.headers[IDENTITY_HEADER] ?? ''))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ principal }))
  })
  const usedIdentity = identity ?? (await fakeIdentity(t))
  const config = {
    ACCOUNT_URL: account.url.href,
    IDENTITY_URL: usedIdentity.url.href,
    INTERNAL_KEY: internalKey,
    ...(hasBoards && {
      UPLOAD_URL: account.url.href,
      INGEST_URL: account.url.href,
      LEADERBOARD_URL: account.url.href,
      S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:9',
    }),
    ...env,
  }
  const deps = createDeps(loadConfig(config), createLogger('gateway', 'silent'))
  t.after(() => deps.close())
  const gateway = await startGateway(t, account.url, { env: config, ...deps })
  return { ...gateway, identity: usedIdentity, account }
}
