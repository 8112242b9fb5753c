import {
  ApiError,
  CaptchaError,
  ClientError,
  InvalidJsonError,
  SchemaError,
  UnreachableError,
} from './errors.ts'
import type { UseEvent } from './event-queue.ts'

/** The address of identity, or of a hosted provider of the same protocol. */
export interface IdentityConfig {
  /** An origin without a slash at its end; empty for the page's own. */
  readonly baseUrl: string
  readonly publicToken: string
}

export interface TransportDeps {
  readonly fetch: typeof globalThis.fetch
  /** Resolves to null if there are no accounts; rejects if that is unknown now. */
  readonly config: () => Promise<IdentityConfig | null>
  /** Returns the opaque session token; null if there is none, or scripts cannot read it. */
  readonly sessionToken: () => string | null
  readonly pageOrigin: string
  readonly newId: () => string
  readonly now: () => Date
  readonly timeoutMs?: number
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends the calls of the protocol. */
export interface Transport {
  /**
   * Returns the `data` of an answer. Rejects with a `ClientError`: `ApiError`, `SchemaError`, `InvalidJsonError`,
   * `CaptchaError` or `UnreachableError`.
   *
   * @param body members that are undefined are not sent
   * @param token of a session that is not stored yet
   */
  call<Data>(method: Method, path: string, body?: object, token?: string | null): Promise<Data>
  /** Sends events without a session. Never rejects: a failure changes nothing. */
  sendEvents(events: readonly UseEvent[]): Promise<void>
  /** Returns what a real form sends for a call, because it has no headers. */
  headers(token?: string | null): Promise<Readonly<Record<string, string>>>
  /** Returns the address of identity. Rejects with `UnreachableError` if there is none. */
  config(): Promise<IdentityConfig>
}

export function createTransport(deps: TransportDeps): Transport {
  const { fetch, pageOrigin, newId, now, timeoutMs = 15_000 } = deps

  /** Describes the client as the protocol requires. New ids with every call track nobody. */
  const facts = () => ({
    event_id: `event-id-${newId()}`,
    app_session_id: `app-session-id-${newId()}`,
    persistent_id: `persistent-id-${newId()}`,
    client_sent_at: now().toISOString(),
    timezone: 'UTC',
    app: { identifier: new URL(pageOrigin).hostname },
    sdk: { identifier: 'Lapwing', version: '1.0.0' },
  })

  async function config(): Promise<IdentityConfig> {
    const found = await deps.config().catch((cause: unknown) => {
      throw new UnreachableError(cause)
    })
    if (found === null) throw new UnreachableError(undefined, 'Accounts are not available here.')
    return found
  }

  async function headers(token?: string | null) {
    const { publicToken } = await config()
    const secret = token ?? deps.sessionToken() ?? publicToken
    return {
      authorization: `Basic ${btoa(`${publicToken}:${secret}`)}`,
      'x-sdk-client': btoa(JSON.stringify(facts())),
      'x-sdk-parent-host': pageOrigin,
    }
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    const { baseUrl } = await config()
    return fetch(`${baseUrl}/sdk/v1${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  }

  return {
    config,
    headers,
    async call<Data>(method: Method, path: string, body?: object, token?: string | null) {
      const allHeaders = { 'content-type': 'application/json', ...(await headers(token)) }
      try {
        const response = await send(path, {
          method,
          credentials: 'include',
          headers: allHeaders,
          ...(body && { body: JSON.stringify(body) }),
        })
        return readData(response, await response.text()) as Data
      } catch (cause) {
        throw cause instanceof ClientError ? cause : new UnreachableError(cause)
      }
    },
    async sendEvents(events) {
      try {
        const { publicToken } = await config()
        const telemetry = facts()
        await send('/events', {
          method: 'POST',
          // The page may be about to leave for a provider.
          keepalive: true,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(
            events.map(event => ({ telemetry, event: { public_token: publicToken, ...event } })),
          ),
        })
      } catch {
        // Nobody waits for events.
      }
    },
  }
}

/** Reads `{ data }` on success; otherwise a bare error object, or a list of schema problems. */
function readData(response: Response, text: string): unknown {
  const { status } = response
  const isJson = (response.headers.get('content-type') ?? '').includes('application/json')
  const members = isJson ? membersOf(text) : null
  if (status <= 299) {
    if (typeof members?.data === 'object' && members.data !== null) return members.data
    throw new InvalidJsonError()
  }
  if (members === null) {
    throw text.includes('Captcha required')
      ? new CaptchaError()
      : new InvalidJsonError('Invalid response from our servers.')
  }
  const isSchema = 'body' in members || 'params' in members || 'query' in members
  throw isSchema ? new SchemaError(members) : new ApiError(status, members)
}

function membersOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && !Array.isArray(body) ? (body as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
