import { BlockList, isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the real address of a request's client. That is the peer, unless the peer is a trusted proxy. Then
 * it is the rightmost address of `X-Forwarded-For` that is no trusted proxy. Any client can forge what is
 * further left.
 */
export function clientAddress(request: FastifyRequest): string {
  let address = addresses.get(request)
  if (address === undefined) {
    address = findAddress(request)
    addresses.set(request, address)
  }
  return address
}

/** Limits, slots and headers ask for it, and each read of `request.ip` compares all proxies. */
const addresses = new WeakMap<FastifyRequest, string>()

function findAddress({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '')
  return isIP(address) === 0 ? address : normalizeIP(address, 128)
}

/** Returns the network that limits count by: an IPv4 address or an IPv6 /64, in one spelling. */
export function limitKey(address: string): string {
  return normalizeIP(address, 64)
}

/** Returns a function that checks whether an address is in one of these addresses and networks. */
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
