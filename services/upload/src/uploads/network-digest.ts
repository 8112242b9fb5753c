import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns a keyed digest of a request's network; null if the gateway sent no address. Call it only after the
 * signed principal was verified: it proves that the request comes from the gateway.
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
