import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * The id under which a request stands in every log. The gateway gives each request a new one, or
 * keeps the page's own; a service takes what the gateway sent. Anything but a short plain token is
 * replaced, because the id is written into logs and answers.
 */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers[REQUEST_ID_HEADER]
  return typeof sent === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(sent) ? sent : randomUUID()
}
