import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { IbtError, type IbtErrorCode } from './ibt-error.ts'
import { HEADER, HEADERS_BYTES } from './layout.ts'
import { readHeader } from './read-header.ts'

const file = makeSampleSession()
const first = file.slice(0, HEADERS_BYTES)

test('reads the first bytes of a recorded file, at any offset in memory', () => {
  const header = readHeader(first, file.length)
  assert.equal(header.tickRate, 60)
  const elsewhere = new Uint8Array(HEADERS_BYTES + 3)
  elsewhere.set(first, 3)
  assert.deepEqual(readHeader(elsewhere.subarray(3), file.length), header)
})

const changed = (field: keyof typeof HEADER, value: number) => {
  const bytes = first.slice()
  new DataView(bytes.buffer).setInt32(HEADER[field], value, true)
  return bytes
}

for (const [what, bytes, size, code] of [
  ['an empty file', new Uint8Array(0), 0, 'ibt.empty'],
  ['three bytes', first.slice(0, 3), 3, 'ibt.not_telemetry'],
  [
    'text',
    new TextEncoder().encode('not telemetry '.repeat(20)).slice(0, HEADERS_BYTES),
    280,
    'ibt.not_telemetry',
  ],
  ['an incomplete header', first.slice(0, 143), 143, 'ibt.truncated'],
  ['a file that ends in its variables', first, HEADERS_BYTES, 'ibt.truncated'],
  ['a dump of the live memory', changed('numBuf', 3), file.length, 'ibt.memory_dump'],
  ['rows of no bytes', changed('bufLen', 0), file.length, 'ibt.bad_header'],
] as const satisfies readonly (readonly [string, Uint8Array, number, IbtErrorCode])[]) {
  test(`throws ${code} for ${what}`, () => {
    assert.throws(
      () => readHeader(bytes, size),
      error => error instanceof IbtError && error.code === code,
    )
  })
}
