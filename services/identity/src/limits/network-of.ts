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
  const groups = expand(plain)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high, low] = [groups[6]!, groups[7]!]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** Returns the eight groups of a valid IPv6 address. */
function expand(address: string): readonly number[] {
  const hexOnly = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`,
  )
  const [head = '', tail] = hexOnly.split('::')
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
  if (tail === undefined) return groups(head)
  const [before, after] = [groups(head), groups(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
