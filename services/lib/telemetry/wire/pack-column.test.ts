import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ElementType } from '@lapwing/contracts/telemetry.pb'
import fc from 'fast-check'
import { MAX_ORDER, packColumn, unpackColumn } from './pack-column.ts'
import type { Elements } from './plane-codecs.ts'
import { WireError } from './wire-error.ts'

const TYPES = [
  { array: Int8Array, type: ElementType.INT8 },
  { array: Uint8Array, type: ElementType.UINT8 },
  { array: Int32Array, type: ElementType.INT32 },
  { array: Uint32Array, type: ElementType.UINT32 },
  { array: Float32Array, type: ElementType.FLOAT32 },
  { array: Float64Array, type: ElementType.FLOAT64 },
] as const

/** Returns the bytes, because two different NaNs compare as equal floats. */
function bitsOf(values: Elements): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

function assertRoundTrip(values: Elements): void {
  const back = unpackColumn(packColumn(values), values.length)
  assert.equal(back.constructor, values.constructor)
  assert.deepEqual(bitsOf(back), bitsOf(values))
}

for (const { array, type } of TYPES) {
  const size = array.BYTES_PER_ELEMENT
  const elements = (bytes: Uint8Array): Elements =>
    new array(bytes.slice(0, bytes.length - (bytes.length % size)).buffer)

  test(`${array.name}: returns any bits unchanged`, () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), bytes => assertRoundTrip(elements(bytes))))
  })

  test(`${array.name}: returns none, one, and a hundred thousand elements unchanged`, () => {
    assertRoundTrip(new array(0))
    assertRoundTrip(new array([-3]))
    assertRoundTrip(new array(Array.from({ length: 100_000 }, (_, i) => 1000 * Math.sin(i / 50))))
  })

  test(`${array.name}: packs a part of a larger buffer, and leaves the buffer unchanged`, () => {
    const whole = new array(Array.from({ length: 50 }, (_, i) => i * i))
    const before = bitsOf(whole).slice()
    assertRoundTrip(whole.subarray(7, 31))
    assert.deepEqual(bitsOf(whole), before)
  })

  test(`${array.name}: packs as the message's comment describes, at every order`, () => {
    const order = fc.integer({ min: 0, max: MAX_ORDER })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), order, (bytes, order) => {
        const values = elements(bytes)
        const packed = packedByTheComment(bitsOf(values), size, order)
        assert.deepEqual(bitsOf(unpackColumn({ type, order, packed }, values.length)), bitsOf(values))
        const ours = packColumn(values)
        assert.deepEqual(ours.packed, packedByTheComment(bitsOf(values), size, ours.order))
      }),
    )
  })
}

/** The four steps of the comment on `Column` in the proto file, in big integers. */
function packedByTheComment(bytes: Uint8Array, size: number, order: number): Uint8Array {
  const bits = size * 8
  let elements: bigint[] = []
  for (let at = 0; at < bytes.length; at += size) {
    let element = 0n
    for (let plane = size - 1; plane >= 0; plane--) element = element * 256n + BigInt(bytes[at + plane]!)
    elements.push(element)
  }
  for (let k = 0; k < order; k++) {
    elements = elements.map((element, i) => BigInt.asUintN(bits, element - (elements[i - 1] ?? 0n)))
  }
  const folded = elements.map(element => {
    const difference = BigInt.asIntN(bits, element)
    return difference >= 0n ? 2n * difference : -2n * difference - 1n
  })
  const planes = Array.from({ length: size }, (_, plane) =>
    folded.map(value => Number((value >> BigInt(8 * plane)) & 255n)),
  )
  return Uint8Array.from(planes.flat())
}

test('returns NaNs with their payload and zeros with their sign', () => {
  const words = Uint32Array.of(0x7fc00000, 0x7f800001, 0xffc12345, 0x80000000, 0, 0xff800000)
  assertRoundTrip(new Float32Array(words.buffer))
  assertRoundTrip(new Float64Array(words.buffer))
})

test('packs a channel with a steady rate to almost only zeros', () => {
  const { packed, order } = packColumn(Int32Array.from({ length: 1000 }, (_, i) => 5000 + 17 * i))
  assert.equal(order, 2)
  assert.ok(packed.filter(byte => byte !== 0).length <= 4)
})

test('rejects a column that does not fit its rows', () => {
  const packed = new Uint8Array(12)
  const refused = [
    { column: { type: ElementType.INT32, order: 0, packed }, rows: 4 },
    { column: { type: ElementType.INT32, order: 0, packed }, rows: 2 },
    { column: { type: ElementType.FLOAT64, order: 0, packed }, rows: 1 },
    { column: { type: ElementType.INT32, order: 0, packed }, rows: 4_294_967_295 },
    { column: { type: ElementType.INT32, order: MAX_ORDER + 1, packed }, rows: 3 },
    { column: { type: ElementType.INT32, order: -1, packed }, rows: 3 },
    { column: { type: ElementType.UNSPECIFIED, order: 0, packed }, rows: 12 },
    { column: { type: 99 as ElementType, order: 0, packed }, rows: 12 },
  ]
  for (const { column, rows } of refused) {
    assert.throws(
      () => unpackColumn(column, rows),
      (error: unknown) => error instanceof WireError && error.code === 'wire.malformed',
    )
  }
})
