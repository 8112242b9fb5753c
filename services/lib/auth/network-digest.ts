import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns a keyed digest of a request's network: its IPv4 address, or the /64 of its IPv6 one. Null if the gateway sent
 * no address. Call it only after the signed principal was verified: it proves that the request comes from the gateway.
 *
 * @param service the digests of two services differ
 */
export function networkDigest(
  { headers }: Pick<FastifyRequest, 'headers'>,
  internalKey: Uint8Array,
  service: string,
): Buffer | null {
  const address = String(headers['x-forwarded-for'] ?? '')
  if (isIP(address) === 0) return null
  return createHmac('sha256', internalKey)
    .update(`${service} network ${normalizeIP(address, 64)}`)
    .digest()
}
