import type { IncomingHttpHeaders } from 'node:http'
import { IDENTITY_HEADER } from '@lapwing/auth'

/** Facts about a request that the gateway sends to the service. */
export interface RequestFacts {
  readonly requestId: string
  /** W3C `traceparent` of the request's span; null without one. The client's own then passes. */
  readonly traceparent: string | null
  /** The real peer's address (`client-address.ts`). */
  readonly clientAddress: string
  /** The address that drivers see. Never the request's own Host, which any client can forge. */
  readonly publicOrigin: URL
  /** Whether a body follows. If none does, its headers must go, or the service waits for it. */
  readonly hasBody: boolean
  /** The signed principal; null for an anonymous client. */
  readonly identity: string | null
  /** Whether the service reads credentials and cookies itself. All others get only the principal (D-14). */
  readonly readsCredentials: boolean
}

/**
 * Returns the headers that a service receives. From the client's headers it removes those of one connection
 * and those that only a gateway may set. Then it adds the gateway's own. The headers that the client named in
 * `Connection` were removed before this call, so no client can remove what is added here (CVE-2026-33805).
 */
export function serviceHeaders(sent: IncomingHttpHeaders, facts: RequestFacts): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(sent)) {
    const passes =
      !isReserved(name) &&
      !HOP_BY_HOP.has(name) &&
      (facts.hasBody || !BODY_HEADERS.has(name)) &&
      (facts.readsCredentials || !CREDENTIALS.has(name))
    if (passes) headers[name] = value
  }
  if (!traceparent.test(String(sent.traceparent ?? ''))) {
    delete headers.traceparent
    delete headers.tracestate
  }
  if (facts.traceparent !== null) headers.traceparent = facts.traceparent
  headers['x-request-id'] = facts.requestId
  headers['x-forwarded-for'] = facts.clientAddress
  headers['x-forwarded-proto'] = facts.publicOrigin.protocol.slice(0, -1)
  headers['x-forwarded-host'] = facts.publicOrigin.host
  if (facts.identity !== null) headers[IDENTITY_HEADER] = facts.identity
  return headers
}

/**
 * Returns the headers of a service's answer that the client receives. `own` are the headers that the gateway
 * sets on every answer; a service cannot replace them. Only a service that reads cookies may set them.
 */
export function clientHeaders(
  answered: IncomingHttpHeaders,
  own: Readonly<Record<string, string>>,
  { readsCredentials }: Pick<RequestFacts, 'readsCredentials'>,
): IncomingHttpHeaders {
  const named = new Set(
    String(answered.connection ?? '')
      .toLowerCase()
      .split(',')
      .map(name => name.trim()),
  )
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(answered)) {
    const passes =
      !HOP_BY_HOP.has(name) && !named.has(name) && !SOFTWARE_HEADERS.has(name) && !isReserved(name)
    if (passes && !(name in own) && (readsCredentials || name !== 'set-cookie')) headers[name] = value
  }
  return headers
}

/** RFC 9110 section 7.6.1, and others that belong to one connection. This hop itself answers `expect`. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that identify an account. Only a service that reads credentials receives them. */
const CREDENTIALS = new Set(['authorization', 'cookie'])

const BODY_HEADERS = new Set(['content-length', 'content-type', 'content-encoding'])

/** Headers of other proxies that describe a request's origin, target or method; some servers trust them. */
const PROXY_HEADERS = new Set([
  'baggage',
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'front-end-https',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-forwarded',
  'x-host',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-host',
  'x-original-uri',
  'x-original-url',
  'x-real-ip',
  'x-request-id',
  'x-rewrite-url',
])

/** Returns whether only a gateway may set the header. `_` counts as `-`: some servers read both alike. */
function isReserved(name: string): boolean {
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name
  return PROXY_HEADERS.has(plain) || plain.startsWith('x-forwarded-') || plain.startsWith('x-lapwing-')
}

/** Headers that show an attacker which software a service runs. */
const SOFTWARE_HEADERS = new Set(['server', 'via', 'x-powered-by', 'x-runtime', 'x-aspnet-version'])

/** W3C Trace Context, version 00. A malformed header must not be passed on. */
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
