import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns a keyed digest of the network that a request comes from, an IPv4 address or an IPv6 /64; null if
 * the gateway named none. To be called once the signed caller has shown that the gateway sent the request.
 */
export function networkDigest(
  { headers }: Pick<FastifyRequest, 'headers'>,
  internalKey: Uint8Array,
): Buffer | null {
  const address = String(headers['x-forwarded-for'] ?? '')
  if (isIP(address) === 0) return null
  return createHmac('sha256', internalKey)
    .update(`upload network ${normalizeIP(address, 64)}`)
    .digest()
}
