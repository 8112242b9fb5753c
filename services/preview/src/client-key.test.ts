import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKey } from './client-key.ts'

test('returns the IPv4 address or the IPv6 /64 of a client, for every spelling', () => {
  for (const [ip, key] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['2001:0DB8:0001:0002:ffff::2', '2001:db8:1:2::'],
  ] as const) {
    assert.equal(clientKey({ ip }), key, ip)
  }
})

test('returns a key for a closed connection', () => {
  assert.equal(clientKey({ ip: undefined as never }), 'unknown')
  assert.equal(clientKey({ ip: 'nonsense' }), 'unknown')
})
