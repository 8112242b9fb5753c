import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedFormatOf } from './accepted-format.ts'

for (const [accept, encoding, expected] of [
  [undefined, undefined, 'json identity'],
  ['*/*', undefined, 'json identity'],
  ['application/*', '*', 'json gzip'],
  ['application/x-protobuf', 'gzip', 'protobuf gzip'],
  ['application/x-protobuf, application/json', 'br, gzip', 'protobuf gzip'],
  ['application/json, application/x-protobuf', 'deflate', 'json identity'],
  ['application/json;q=0.5, application/x-protobuf', 'gzip;q=0', 'protobuf identity'],
  ['application/x-protobuf;q=0.5, */*;q=0.9', 'identity;q=1, gzip;q=0.5', 'json identity'],
  ['text/html', 'gzip;q=0.1', 'json gzip'],
  [';;;,,', ';q=,', 'json identity'],
] as const) {
  test(`returns ${expected} for accept "${accept}" and accept-encoding "${encoding}"`, () => {
    const format = acceptedFormatOf({
      ...(accept !== undefined && { accept }),
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    })
    assert.equal(`${format.representation} ${format.encoding}`, expected)
  })
}
