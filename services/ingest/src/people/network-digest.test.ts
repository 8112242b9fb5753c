import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetworkDigest } from './network-digest.ts'

const digest = createNetworkDigest(Buffer.alloc(32, 1))
const isOneNetwork = (a: string, b: string) => digest(a)!.equals(digest(b)!)

test('treats an IPv4 address, or the /64 of an IPv6 address, as one network', () => {
  assert.equal(isOneNetwork('192.0.2.1', '192.0.2.1'), true)
  assert.equal(isOneNetwork('192.0.2.1', '192.0.2.2'), false)
  assert.equal(isOneNetwork('192.0.2.1', '::ffff:192.0.2.1'), true)
  assert.equal(isOneNetwork('2001:db8:0:1::1', '2001:DB8::1:ffff:0:0:2'), true)
  assert.equal(isOneNetwork('2001:db8:0:1::1', '2001:db8:0:2::1'), false)
})

test('returns null for a text that is no address', () => {
  for (const text of ['', 'unknown', '192.0.2', '192.0.2.1:80']) assert.equal(digest(text), null)
})

test('returns another digest for another key, and never the address', () => {
  const other = createNetworkDigest(Buffer.alloc(32, 2))
  assert.equal(digest('192.0.2.1')!.equals(other('192.0.2.1')!), false)
  assert.equal(digest('192.0.2.1')!.byteLength, 16)
  assert.equal(digest('192.0.2.1')!.includes('192'), false)
})
