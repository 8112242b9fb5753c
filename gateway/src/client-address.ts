import { BlockList, isIP } from 'node:net'
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

/** Returns a function that finds out whether an address lies in one of these addresses and networks. */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  const family = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return address => isIP(address) !== 0 && list.check(address, family(address))
}
