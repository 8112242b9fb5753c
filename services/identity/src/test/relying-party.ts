import assert from 'node:assert/strict'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import * as openid from 'openid-client'
import { type AppDetails, saveApp } from '../connected-apps/save-app.ts'
import { ALL_SCOPES } from '../connected-apps/scopes.ts'
import { type Harness, origin, type Reply } from './harness.ts'

/** A connected app that uses `openid-client`, and a person's browser that opens its addresses. */
export interface RelyingParty {
  readonly clientId: string
  readonly secret: string | null
  readonly config: openid.Configuration
  /** Returns a new request of the app, with PKCE. */
  request(changes?: Partial<AuthorizeBody>): Promise<AppRequest>
  /** Sends a request as the consent page does, with the session token. */
  start(as: string, request: AppRequest): Promise<Reply>
  submit(as: string, request: AppRequest, isGranted?: boolean): Promise<Reply>
  /** Exchanges the code of an address that the browser came back to. */
  exchange(address: string, request: AppRequest): ReturnType<typeof openid.authorizationCodeGrant>
  /** Does all of it and returns the tokens. */
  connect(
    as: string,
    changes?: Partial<AuthorizeBody>,
  ): Promise<Awaited<ReturnType<typeof openid.authorizationCodeGrant>>>
}

export interface AuthorizeBody {
  readonly client_id: string
  readonly redirect_uri: string
  readonly response_type: string
  readonly scopes: readonly string[]
  readonly [name: string]: unknown
}

export interface AppRequest {
  readonly body: AuthorizeBody
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export const redirectUri = 'https://app.example/callback'

/** Registers an app. */
export async function relyingParty(
  service: Harness,
  changes: Partial<AppDetails> = {},
): Promise<RelyingParty> {
  const details: AppDetails = {
    name: 'Pit Wall',
    description: 'Shows your laps on a second screen.',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: ['https://app.example/bye'],
    scopes: ALL_SCOPES,
    isPublic: false,
    ...changes,
  }
  const { clientId, secret } = await service.deps.change(work => saveApp(work, details, null))
  const config = await openid.discovery(
    new URL(origin),
    clientId,
    { [openid.clockSkew]: (service.now().getTime() - Date.now()) / 1_000 },
    secret === null ? openid.None() : openid.ClientSecretBasic(secret),
    { [openid.customFetch]: fetchFrom(service) },
  )
  // Otherwise it trusts an ID token that comes over TLS, and never loads the keys.
  openid.enableNonRepudiationChecks(config)

  const send = (operationId: string, path: string, as: string, body: object) =>
    service.call(operationId, `/sdk/v1/idp/oauth/authorize/${path}`, { as, body })

  const party: RelyingParty = {
    clientId,
    secret,
    config,
    async request(changed = {}) {
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      const nonce = openid.randomNonce()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: details.redirectUris[0]!,
        scope: details.scopes.join(' '),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      assert.equal(url.origin + url.pathname, `${origin}/consent`)
      const { scope, ...rest } = Object.fromEntries(url.searchParams) as Record<string, string>
      const body = { ...rest, scopes: scope!.split(' '), ...changed } as AuthorizeBody
      return { body, verifier, state, nonce }
    },
    start: (as, { body }) => send('startAuthorize', 'start', as, body),
    submit: (as, { body }, isGranted = true) =>
      send('submitAuthorize', 'submit', as, { ...body, consent_granted: isGranted }),
    exchange(address, { body, verifier, state, nonce }) {
      return openid.authorizationCodeGrant(config, new URL(address), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        ...(body.scopes.includes('openid') && { expectedNonce: nonce, idTokenExpected: true }),
      })
    },
    async connect(as, changed) {
      const request = await party.request(changed)
      const { status, body, data } = await party.submit(as, request)
      assert.equal(status, 200, JSON.stringify(body))
      return party.exchange(data.redirect_uri, request)
    },
  }
  return party
}

/** Posts a form to an endpoint for apps. */
export async function postForm(
  service: Harness,
  path: 'token' | 'revoke',
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly error: string | undefined; readonly headers: Headers }> {
  const answer = await fetchFrom(service)(`${origin}/oauth2/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    error: text === '' ? undefined : JSON.parse(text).error,
    headers: answer.headers,
  }
}

/** Returns a fetch that reaches the service without a network, and checks each answer against the contract. */
export function fetchFrom(service: Harness) {
  return async (
    address: string | URL,
    init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Response> => {
    const { pathname, search } = new URL(address)
    const { method = 'GET' } = init
    const answer = await service.app.inject({
      method: method as 'GET' | 'POST',
      url: pathname + search,
      headers: { ...init.headers, 'x-forwarded-for': newNetwork() },
      ...(init.body !== undefined && init.body !== null && { payload: String(init.body) }),
    })
    const item = (contract.paths as Record<string, Record<string, { operationId: string }>>)[pathname]
    const operationId = item?.[method.toLowerCase()]?.operationId
    if (operationId !== undefined) checkAnswer(contract, operationId, answer)
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
    return new Response(hasBody ? answer.body : null, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  }
}

/** Returns a network that no other request of the test has. */
function newNetwork(): string {
  networks++
  return `10.200.${(networks >> 8) & 255}.${networks & 255}`
}

let networks = 0
