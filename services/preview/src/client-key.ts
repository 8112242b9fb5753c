import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Whose limits a request counts towards: an IPv4 address, or the /64 that whoever has an IPv6 address
 * has all of. A connection that is gone by now has no address any more, and all such share one key.
 */
export function clientKey(request: Pick<FastifyRequest, 'ip'>): string {
  const address: string | undefined = request.ip
  return address === undefined || isIP(address) === 0 ? 'unknown' : normalizeIP(address, 64)
}
