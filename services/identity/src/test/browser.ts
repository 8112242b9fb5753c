import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Harness, origin, publicToken } from './harness.ts'

/** The page's secret between the two halves of a round trip (RFC 7636). */
export const codeVerifier = 'a-verifier-that-the-page-kept-to-itself-0123456789'
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

/** A browser during social sign-in: its cookies and a person's clicks. */
export class Browser {
  readonly #service: Harness
  readonly #cookies = new Map<string, string>()

  constructor(service: Harness) {
    this.#service = service
  }

  /** Opens a start address and returns the answer. */
  start(provider: string, params: Readonly<Record<string, string>> = {}): Promise<Landing> {
    const query = new URLSearchParams({ public_token: publicToken, code_challenge: codeChallenge, ...params })
    return this.open('startOAuth', `/v1/public/oauth/${provider}/start?${query}`)
  }

  /** Types an address on the provider's page, or presses "Deny". Returns the redirect. */
  async signIn(at: URL, decision: Readonly<Record<string, string>>): Promise<URL> {
    const answer = await fetch(at.origin + at.pathname, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...Object.fromEntries(at.searchParams), decision: 'allow', ...decision }),
    })
    assert.equal(answer.status, 303, await answer.text())
    return new URL(answer.headers.get('location')!)
  }

  /** Returns from the provider to the callback. */
  comeBack(to: URL): Promise<Landing> {
    return this.open('finishOAuth', `${to.pathname}${to.search}`)
  }

  /** Goes from the page's button to the provider and back to the page. */
  async roundTrip(
    provider: string,
    decision: Readonly<Record<string, string>>,
    params: Readonly<Record<string, string>> = {},
  ): Promise<Landing> {
    const { location } = await this.start(provider, params)
    assert.ok(location, 'the start leads to the provider')
    return this.comeBack(await this.signIn(location, decision))
  }

  /** Opens an address of the service with the stored cookies, and stores the new ones. */
  async open(operationId: string, url: string): Promise<Landing> {
    const reply = await this.#service.call(operationId, url, {
      method: 'GET',
      headers: { cookie: this.cookies() },
    })
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const location = reply.headers.location
    return {
      status: reply.status,
      error: reply.error,
      location: location === undefined ? null : new URL(String(location), origin),
      headers: reply.headers,
    }
  }

  cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

export interface Landing {
  readonly status: number
  readonly error: string | undefined
  readonly location: URL | null
  readonly headers: Readonly<Record<string, unknown>>
}
