import * as openid from 'openid-client'

/** Everything that the demo app asks Lapwing, by OpenID Connect and the product's API. */
export interface Lapwing {
  /** Returns the address of the page that asks the person. */
  authorizationUrl(request: PendingRequest & { readonly redirectUri: string }): Promise<URL>
  /** Exchanges the code of the address that the browser came back to. */
  exchange(address: URL, pending: PendingRequest): Promise<Tokens>
  /** Reads what the page shows. Refreshes the tokens if they have expired. Returns null if the access has ended. */
  read(tokens: Tokens): Promise<{ readonly facts: Facts; readonly tokens: Tokens } | null>
  revoke(tokens: Tokens): Promise<void>
}

export interface PendingRequest {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly subject: string
}

export interface Facts {
  readonly email: string
  /** Null if the deployment has no boards. */
  readonly laps: readonly LapFact[] | null
  readonly tracks: readonly string[] | null
}

interface LapFact {
  readonly time_fmt: string | null
  readonly combination: { readonly track_label: string; readonly car_label: string }
}

const SCOPE = 'openid email offline_access laps:read leaderboard:read'

export function createLapwing(options: { readonly lapwingUrl: URL; readonly clientId: string }): Lapwing {
  const { lapwingUrl, clientId } = options
  let found: Promise<openid.Configuration> | null = null

  /** Finds the endpoints once. Lapwing may start after this app. */
  function discover(): Promise<openid.Configuration> {
    found ??= openid
      .discovery(lapwingUrl, clientId, undefined, openid.None(), {
        // On this machine Lapwing has no certificate.
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
        timeout: 10,
      })
      .catch((error: unknown) => {
        found = null
        throw error
      })
    return found
  }

  async function get<Body>(path: string, { access }: Tokens): Promise<Body | null> {
    const answer = await fetch(new URL(path, lapwingUrl), {
      headers: { authorization: `Bearer ${access}` },
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status === 401) throw new AccessEnded()
    return answer.ok ? ((await answer.json()) as Body) : null
  }

  async function facts(tokens: Tokens): Promise<Facts> {
    const config = await discover()
    const [claims, laps, tracks] = await Promise.all([
      openid.fetchUserInfo(config, tokens.access, tokens.subject).catch((error: unknown) => {
        throw error instanceof openid.WWWAuthenticateChallengeError ? new AccessEnded() : error
      }),
      get<{ laps: LapFact[] }>('/api/laps?limit=5', tokens),
      get<{ tracks: { label: string }[] }>('/api/leaderboards/tracks', tokens),
    ])
    return {
      email: claims.email ?? '',
      laps: laps?.laps ?? null,
      tracks: tracks?.tracks.map(({ label }) => label) ?? null,
    }
  }

  async function refreshed(tokens: Tokens): Promise<Tokens | null> {
    try {
      const { access_token, refresh_token } = await openid.refreshTokenGrant(await discover(), tokens.refresh)
      return { ...tokens, access: access_token, refresh: refresh_token! }
    } catch (error) {
      if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return null
      throw error
    }
  }

  return {
    async authorizationUrl({ verifier, state, nonce, redirectUri }) {
      return openid.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async exchange(address, { verifier, state, nonce }) {
      const answer = await openid.authorizationCodeGrant(await discover(), address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      return {
        access: answer.access_token,
        refresh: answer.refresh_token!,
        subject: answer.claims()!.sub,
      }
    },
    async read(tokens) {
      try {
        return { facts: await facts(tokens), tokens }
      } catch (error) {
        if (!(error instanceof AccessEnded)) throw error
      }
      const fresh = await refreshed(tokens)
      return fresh && { facts: await facts(fresh), tokens: fresh }
    },
    async revoke({ refresh }) {
      await openid.tokenRevocation(await discover(), refresh)
    },
  }
}

/** Lapwing does not accept the access token any more. */
class AccessEnded extends Error {}
