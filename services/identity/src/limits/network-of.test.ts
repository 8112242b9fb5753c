import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { networkOf } from './network-of.ts'

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', 'unknown'],
  ['example.com', 'unknown'],
  ['1.2.3', 'unknown'],
] as const) {
  test(`returns ${network} for ${address || 'nothing'}`, () => {
    assert.equal(networkOf(address), network)
  })
}

test('returns one network for every spelling of an IPv6 address and any last 64 bits', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 4, maxLength: 4 }),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (network, host) => {
        const hex = (groups: readonly number[], width: number) =>
          groups.map(value => value.toString(16).padStart(width, '0')).join(':')
        const isMapped = network.every(value => value === 0) && host[0] === 0 && host[1] === 0xffff
        const expected = isMapped ? networkOf(`::ffff:${hex(host.slice(2), 1)}`) : `${hex(network, 1)}::/64`
        assert.equal(networkOf(hex([...network, ...host], 1)), expected)
        assert.equal(networkOf(hex([...network, ...host], 4).toUpperCase()), expected)
        if (!isMapped) assert.equal(networkOf(`${hex(network, 1)}::1`), expected)
      },
    ),
  )
})
