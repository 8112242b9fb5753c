import type { IncomingHttpHeaders } from 'node:http'
import { IDENTITY_HEADER } from '@lapwing/auth'

/** What the gateway itself knows of a request and tells the service behind it. */
export interface RequestFacts {
  readonly requestId: string
  /** The real peer's address (`client-address.ts`). */
  readonly clientAddress: string
  /** The address drivers see; never the request's own Host, which anyone can write. */
  readonly publicOrigin: URL
  /** Whether a body follows. Without one its headers would make the service wait for it. */
  readonly hasBody: boolean
  /** Who calls, as the gateway signed it; null for nobody. */
  readonly identity: string | null
  /** Whether the service reads credentials and cookies itself. All others go by what the gateway says (D-14). */
  readonly readsCredentials: boolean
}

/**
 * The headers a service receives: those of the client without what belongs to one connection and
 * without anything only a gateway may say, and then what the gateway says. Headers that the client
 * named in `Connection` are gone already when this is called; what is added here is added after, so
 * no client can have it removed (CVE-2026-33805).
 */
export function serviceHeaders(sent: IncomingHttpHeaders, facts: RequestFacts): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(sent)) {
    const kept =
      !isOurs(name) &&
      !HOP_BY_HOP.has(name) &&
      (facts.hasBody || !BODY_HEADERS.has(name)) &&
      (facts.readsCredentials || !CREDENTIALS.has(name))
    if (kept) headers[name] = value
  }
  if (!traceparent.test(String(sent.traceparent ?? ''))) {
    delete headers.traceparent
    delete headers.tracestate
  }
  headers['x-request-id'] = facts.requestId
  headers['x-forwarded-for'] = facts.clientAddress
  headers['x-forwarded-proto'] = facts.publicOrigin.protocol.slice(0, -1)
  headers['x-forwarded-host'] = facts.publicOrigin.host
  if (facts.identity !== null) headers[IDENTITY_HEADER] = facts.identity
  return headers
}

/**
 * The headers of a service's answer that the client receives. `own` are those the gateway puts on
 * every answer; a service cannot weaken them. Only who reads cookies may set them.
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
    const kept = !HOP_BY_HOP.has(name) && !named.has(name) && !TELL_TALE.has(name) && !isOurs(name)
    if (kept && !(name in own) && (readsCredentials || name !== 'set-cookie')) headers[name] = value
  }
  return headers
}

/** RFC 9110 section 7.6.1, and what clients and servers send beside it. `expect` is answered by this hop. */
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

/** What shows who somebody is: kept from all who have no use for it. */
const CREDENTIALS = new Set(['authorization', 'cookie'])

const BODY_HEADERS = new Set(['content-length', 'content-type', 'content-encoding'])

/** Names by which other proxies tell where a request came from or went to, and which some servers believe. */
const CLAIMS = new Set([
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

/** Only a gateway may say these. `_` counts as `-`, because some servers read both alike. */
function isOurs(name: string): boolean {
  const plain = name.replaceAll('_', '-')
  return CLAIMS.has(plain) || plain.startsWith('x-forwarded-') || plain.startsWith('x-lapwing-')
}

/** What a service runs on is nobody's business. */
const TELL_TALE = new Set(['server', 'via', 'x-powered-by', 'x-runtime', 'x-aspnet-version'])

/** W3C Trace Context, version 00; a malformed one must not be passed on. */
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
