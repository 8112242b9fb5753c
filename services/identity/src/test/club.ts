import assert from 'node:assert/strict'
import type { JWTPayload } from 'jose'
import type { AuthMethod } from '../organizations/auth-method.ts'
import { readIssuer } from '../organizations/read-issuer.ts'
import { saveConnection, saveOrganization } from '../organizations/save-organization.ts'
import { Browser, codeChallenge, codeVerifier, type Landing } from './browser.ts'
import { type Harness, publicToken, type Reply } from './harness.ts'
import { startIssuer, type TestIssuer } from './issuer.ts'

/** An organization with an issuer of its own, and the calls of its people. */
export interface Club {
  readonly organizationId: string
  readonly connectionId: string
  readonly issuer: TestIssuer
  /** Starts the sign-in in a browser. */
  start(browser: Browser, params?: Readonly<Record<string, string>>): Promise<Landing>
  /** Goes to the issuer, signs in there with these claims, and comes back to the page. */
  roundTrip(
    claims: JWTPayload,
    options?: { readonly browser?: Browser; readonly sign?: (claims: JWTPayload) => Promise<string> },
  ): Promise<Landing>
  /** Posts the token of the page's address. */
  authenticate(landing: Landing, as?: string): Promise<Reply>
  /** Does all of it for a person with this address, which the issuer confirms. */
  enter(email: string, as?: string): Promise<Reply>
}

export async function createClub(
  service: Harness,
  {
    domains,
    methods = ['sso'],
  }: { readonly domains: readonly string[]; readonly methods?: readonly AuthMethod[] },
): Promise<Club> {
  const issuer = await startIssuer()
  const metadata = await readIssuer(issuer.url, 2_000)
  const { change, cipher } = service.deps
  const { clientId, clientSecret } = issuer
  const organizationId = await change(work =>
    saveOrganization(work, { name: 'Example Racing', domains, methods }, null),
  )
  const details = { displayName: 'Head office', metadata, clientId, clientSecret }
  const connectionId = await change(work => saveConnection(work, cipher, organizationId, details, null))
  const club: Club = {
    organizationId,
    connectionId,
    issuer,
    start(browser, params = {}) {
      const query = new URLSearchParams({
        public_token: publicToken,
        code_challenge: codeChallenge,
        ...params,
      })
      return browser.open('startSso', `/v1/public/sso/${connectionId}/start?${query}`)
    },
    async roundTrip(claims, { browser = new Browser(service), sign } = {}) {
      const { location } = await club.start(browser)
      const { pathname, search } = issuer.signIn(location!, claims, sign)
      return browser.open('finishSso', pathname + search)
    },
    authenticate(landing, as) {
      assert.equal(landing.location?.searchParams.get('stytch_token_type'), 'sso', landing.location?.href)
      return service.call('authenticateSso', '/sdk/v1/sso/authenticate', {
        body: {
          token: landing.location!.searchParams.get('token'),
          code_verifier: codeVerifier,
          session_duration_minutes: 60,
        },
        ...(as !== undefined && { as }),
      })
    },
    async enter(email, as) {
      return club.authenticate(await club.roundTrip({ sub: email, email, email_verified: true }), as)
    },
  }
  return club
}

/** Returns the error with which the browser came back to the page. */
export function errorOf({ location }: Landing): string | null {
  assert.equal(location!.searchParams.get('token'), null, location!.href)
  return location!.searchParams.get('error_type') ?? location!.searchParams.get('error')
}
