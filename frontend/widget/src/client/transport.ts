import { ApiError, CaptchaError, InvalidJsonError, SchemaError, UnreachableError } from './errors.ts'
import type { UseEvent } from './event-queue.ts'

export interface TransportDeps {
  readonly fetch: typeof globalThis.fetch
  /** Origin of identity, without a slash at its end. */
  readonly baseUrl: string
  readonly publicToken: string
  /** Returns the opaque session token; null without a session. */
  readonly sessionToken: () => string | null
  readonly pageOrigin: string
  readonly newId: () => string
  readonly now: () => Date
  readonly timeoutMs?: number
}

export type Method = 'GET' | 'POST'

/** Sends the calls of the protocol. */
export interface Transport {
  /**
   * Returns the `data` of an answer. Rejects with `ApiError`, `SchemaError`, `InvalidJsonError` or
   * `UnreachableError`.
   *
   * @param body members that are undefined are not sent
   * @param token of a session that is not stored yet
   */
  call<Data>(method: Method, path: string, body?: object, token?: string | null): Promise<Data>
  /** Sends events without a session. A failure changes nothing. */
  sendEvents(events: readonly UseEvent[]): void
}

export function createTransport(deps: TransportDeps): Transport {
  const { fetch, baseUrl, publicToken, pageOrigin, newId, now, timeoutMs = 15_000 } = deps
  const facts = () => ({
    event_id: `event-id-${newId()}`,
    app_session_id: `app-session-id-${newId()}`,
    persistent_id: `persistent-id-${newId()}`,
    client_sent_at: now().toISOString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    app: { identifier: new URL(pageOrigin).hostname },
    sdk: { identifier: 'Lapwing widget', version: '1' },
  })

  async function send(method: Method, path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${baseUrl}/sdk/v1${path}`, {
        method,
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (cause) {
      throw new UnreachableError(cause)
    }
  }

  return {
    async call<Data>(method: Method, path: string, body?: object, token?: string | null) {
      const secret = token ?? deps.sessionToken() ?? publicToken
      const response = await send(method, path, {
        credentials: 'include',
        headers: {
          authorization: `Basic ${btoa(`${publicToken}:${secret}`)}`,
          'content-type': 'application/json',
          'x-sdk-client': btoa(JSON.stringify(facts())),
          'x-sdk-parent-host': pageOrigin,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await readData(response)) as Data
    },
    sendEvents(events) {
      const telemetry = facts()
      const body = events.map(event => ({ telemetry, event: { public_token: publicToken, ...event } }))
      send('POST', '/events', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => {})
    },
  }
}

async function readData(response: Response): Promise<unknown> {
  let body: unknown
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw new UnreachableError(cause)
  }
  try {
    body = JSON.parse(text)
  } catch {
    throw text.includes('Captcha required') ? new CaptchaError() : new InvalidJsonError()
  }
  if (typeof body !== 'object' || body === null) throw new InvalidJsonError()
  const members = body as Readonly<Record<string, unknown>>
  if (!response.ok) {
    const isSchema = 'body' in members || 'params' in members || 'query' in members
    throw isSchema ? new SchemaError(members) : new ApiError(response.status, members)
  }
  if (typeof members.data !== 'object' || members.data === null) throw new InvalidJsonError()
  return members.data
}
