import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * Returns the id of a request in every log. The gateway creates it, or uses the page's own; a service uses
 * the gateway's. Anything but a short plain token is replaced, because logs and answers contain the id.
 */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers[REQUEST_ID_HEADER]
  return typeof sent === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(sent) ? sent : randomUUID()
}
