import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the network that limits count a request for: an IPv4 address or an IPv6 /64. A closed connection
 * has no address any more; all such requests share the key `unknown`.
 */
export function clientKey(request: Pick<FastifyRequest, 'ip'>): string {
  const address: string | undefined = request.ip
  return address === undefined || isIP(address) === 0 ? 'unknown' : normalizeIP(address, 64)
}
