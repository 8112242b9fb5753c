import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import {
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

/** What a session token may be made to say instead of the truth. */
export interface Claims {
  readonly sessionId?: string
  readonly userId?: string
  readonly issuer?: string
  readonly audience?: string
  readonly issuedAtS?: number
  readonly expiresAtS?: number
  readonly key?: CryptoKey
}

/** A session token as identity makes them. */
export function sessionToken(claims: Claims = {}): Promise<string> {
  const issuedAtS = claims.issuedAtS ?? Math.floor(Date.now() / 1000)
  return new SignJWT({ [SESSION_CLAIM]: { id: claims.sessionId ?? 'session-live-1', roles: ['driver'] } })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT' })
    .setSubject(claims.userId ?? 'user-live-1')
    .setIssuer(claims.issuer ?? 'stytch.com/project-live-lapwing')
    .setAudience(claims.audience ?? 'project-live-lapwing')
    .setIssuedAt(issuedAtS)
    .setNotBefore(issuedAtS)
    .setExpirationTime(claims.expiresAtS ?? issuedAtS + 3_600)
    .sign(claims.key ?? privateKey)
}

export async function bearer(claims: Claims = {}): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await sessionToken(claims)}` }
}

export interface FakeIdentity {
  readonly url: URL
  /** Sessions that do not stand any more. */
  readonly ended: Set<string>
  /** How often it was asked whether a session stands. */
  readonly asked: () => number
  /** Nobody listens there any more. */
  readonly stop: () => Promise<void>
}

/**
 * The two things the gateway itself wants of identity: its key set, and whether a session stands. The hosted
 * provider has the first alone.
 */
export async function fakeIdentity(t: TestContext, { isHosted = false } = {}): Promise<FakeIdentity> {
  const ended = new Set<string>()
  const mayAsk = createServiceTokenVerifier(keyBytes, 'identity')
  let asked = 0
  const server = createServer(async (request, response) => {
    const sessionId = isHosted ? undefined : /^\/internal\/sessions\/([^/]+)$/.exec(request.url!)?.[1]
    response.setHeader('content-type', 'application/json')
    if (request.url === '/v1/sessions/jwks/project-live-lapwing') {
      response.end(JSON.stringify({ keys: [jwk] }))
    } else if (sessionId !== undefined && (await mayAsk(request.headers.authorization))) {
      asked += 1
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
    asked: () => asked,
    stop,
  }
}

export interface AccountsGateway extends TestGateway {
  readonly identity: FakeIdentity
  readonly account: FakeUpstream
}

/** The gateway as it is put together in production, before an account service that tells who called. */
export async function startWithAccounts(
  t: TestContext,
  { identity, env = {} }: { identity?: FakeIdentity; env?: Record<string, string> } = {},
): Promise<AccountsGateway> {
  const readPrincipal = createPrincipalVerifier(keyBytes)
  const account = await fakeUpstream(t, async (request, response) => {
    const principal = await readPrincipal(String(request.headers[IDENTITY_HEADER] ?? ''))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ principal }))
  })
  const behind = identity ?? (await fakeIdentity(t))
  const config = {
    ACCOUNT_URL: account.url.href,
    IDENTITY_URL: behind.url.href,
    INTERNAL_KEY: internalKey,
    ...env,
  }
  const deps = createDeps(loadConfig(config), createLogger('gateway', 'silent'))
  t.after(() => deps.close())
  const gateway = await startGateway(t, account.url, { env: config, ...deps })
  return { ...gateway, identity: behind, account }
}
