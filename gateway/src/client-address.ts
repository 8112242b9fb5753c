import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Where a request really comes from: the peer, or, where the peer is a trusted proxy, the nearest
 * address to the right of `X-Forwarded-For` that is not one. Anything further left was written by
 * whoever liked to.
 */
export function clientAddress(request: FastifyRequest): string {
  const address = isIP(request.ip) !== 0 ? request.ip : (request.socket.remoteAddress ?? '')
  return isIP(address) === 0 ? address : normalizeIP(address, 128)
}

/** What a limit counts by: an IPv4 address, or the /64 a household gets, however it is written. */
export function limitKey(address: string): string {
  return normalizeIP(address, 64)
}
