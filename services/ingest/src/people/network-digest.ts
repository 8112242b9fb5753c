import { createHmac, hkdfSync } from 'node:crypto'
import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'

/**
 * Creates a function that returns the keyed digest of the network of an address: an IPv4 address, or the /64
 * of an IPv6 one. Null if the text is no address. Without the key, two digests only show whether the networks
 * are equal.
 *
 * @param internalKey the `INTERNAL_KEY`; after a change of it, older networks count as different ones
 */
export function createNetworkDigest(internalKey: Uint8Array): (address: string) => Buffer | null {
  const key = Buffer.from(hkdfSync('sha256', internalKey, '', 'lapwing ingest network', 32))
  return address =>
    isIP(address) === 0
      ? null
      : createHmac('sha256', key).update(normalizeIP(address, 64)).digest().subarray(0, 16)
}
