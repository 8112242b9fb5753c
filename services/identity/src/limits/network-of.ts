import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the network of an address: the IPv4 address itself, or the first 64 bits of an IPv6 address,
 * because one subscriber has 2^64 of those. An IPv4-mapped IPv6 address counts as IPv4. All spellings of
 * an address give the same network. Returns `unknown` for anything else.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    const bytes = groups.slice(6).map(group => Buffer.from(group.padStart(4, '0'), 'hex'))
    return Buffer.concat(bytes).join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Returns the eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // A URL has one spelling of each address: in lower case, without leading zeros and without an IPv4 part.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map(part => part.split(':').filter(group => group !== ''))
  return [...before!, ...Array<string>(8 - before!.length - after!.length).fill('0'), ...after!]
}
