import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type Endpoint = 'keys' | 'token' | 'userinfo' | '.well-known/openid-configuration'

/** What a test sends instead of the issuer's answer. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => unknown

/** The OpenID provider of an organization, which says what a test wants. */
export interface TestIssuer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly keys: { readonly privateKey: CryptoKey }
  /** Answers of endpoints that a test replaces. */
  readonly faults: Map<Endpoint, Fault>
  /** Members of the discovery document that a test changes. */
  changes: Readonly<Record<string, unknown>>
  /**
   * Signs a person in after the browser came to `at`. Returns the address to which the browser goes back.
   *
   * @param claims of the ID token; undefined ones are left out
   * @param sign signs the token instead of the issuer
   */
  signIn(at: URL, claims: JWTPayload, sign?: (claims: JWTPayload) => Promise<string>): URL
  close(): Promise<void>
}

interface Grant {
  readonly claims: JWTPayload
  readonly sign: (claims: JWTPayload) => Promise<string>
  readonly redirectUri: string
  readonly codeChallenge: string
}

export async function startIssuer(): Promise<TestIssuer> {
  const clientId = 'lapwing at the club'
  const clientSecret = 'a secret: with + and %'
  // Not the default of OpenID Connect.
  const keys = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, JWTPayload>()
  const faults = new Map<Endpoint, Fault>()
  const signToken = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(keys.privateKey)

  const server = createServer(async (request, response) => {
    const path = request.url!.slice(1) as Endpoint
    const fault = faults.get(path)
    if (fault !== undefined) return fault(request, response)
    const answer = await answers[path](request)
    response.writeHead(answer === null ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const answers: Readonly<Record<Endpoint, (request: IncomingMessage) => Promise<object | null>>> = {
    '.well-known/openid-configuration': async () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      userinfo_endpoint: `${url}/userinfo`,
      ...issuer.changes,
    }),
    keys: async () => ({ keys: [jwk] }),
    userinfo: async request =>
      accessTokens.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '') ?? null,
    async token(request) {
      const form = new URLSearchParams(await text(request))
      const grant = grants.get(form.get('code') ?? '')
      grants.delete(form.get('code') ?? '')
      // RFC 6749, 2.3.1: both parts are encoded as in a form.
      const encode = (part: string) => new URLSearchParams({ part }).toString().slice('part='.length)
      const basic = Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')
      const verifier = form.get('code_verifier') ?? ''
      const isRight =
        grant !== undefined &&
        request.headers.authorization === `Basic ${basic}` &&
        form.get('redirect_uri') === grant.redirectUri &&
        createHash('sha256').update(verifier).digest('base64url') === grant.codeChallenge
      if (!isRight) return null
      const access_token = randomUUID()
      accessTokens.set(access_token, { sub: grant.claims.sub } as JWTPayload)
      return { access_token, token_type: 'Bearer', id_token: await grant.sign(grant.claims) }
    },
  }

  const issuer: TestIssuer = {
    url,
    clientId,
    clientSecret,
    keys,
    faults,
    changes: {},
    signIn(at, claims, sign = signToken) {
      const asked = at.searchParams
      const code = randomUUID()
      const nowS = Math.floor(Date.now() / 1_000)
      grants.set(code, {
        claims: {
          iss: url,
          aud: clientId,
          nonce: asked.get('nonce')!,
          iat: nowS,
          exp: nowS + 300,
          ...claims,
        },
        sign,
        redirectUri: asked.get('redirect_uri')!,
        codeChallenge: asked.get('code_challenge')!,
      })
      const back = new URL(asked.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state')!)
      return back
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return issuer
}
