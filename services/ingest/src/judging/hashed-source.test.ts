import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashedSource } from './hashed-source.ts'

/** A source that counts the bytes read from it. */
function aSource(bytes: Uint8Array) {
  let read = 0
  return {
    size: bytes.byteLength,
    read(offset: number, target: Uint8Array) {
      const part = bytes.subarray(offset, offset + target.byteLength)
      target.set(part)
      read += part.byteLength
      return part.byteLength
    },
    close: () => {},
    bytesRead: () => read,
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('hashes all bytes of a file, whatever is read in whatever order', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200_000, size: 'max' }),
      fc.array(fc.tuple(fc.nat(220_000), fc.nat(150_000))),
      (bytes, reads) => {
        const source = hashedSource(aSource(bytes))
        for (const [offset, length] of reads) {
          const target = new Uint8Array(length)
          const filled = source.read(offset, target)
          assert.deepEqual(target.subarray(0, filled), bytes.slice(offset, offset + length))
        }
        assert.equal(source.sha256().toString('hex'), hashOf(bytes))
        assert.equal(source.sha256().toString('hex'), hashOf(bytes))
      },
    ),
    { numRuns: 50 },
  )
})

test('reads each byte once if the file is read in order', () => {
  const bytes = Uint8Array.from({ length: 500_000 }, (_, index) => index % 253)
  const file = aSource(bytes)
  const source = hashedSource(file)
  for (let offset = 0; offset < 400_000; offset += 40_000) source.read(offset, new Uint8Array(40_000))
  assert.equal(source.sha256().toString('hex'), hashOf(bytes))
  assert.equal(file.bytesRead(), bytes.byteLength)
})

test('throws if the file became shorter', () => {
  const file = { ...aSource(new Uint8Array(10)), size: 20 }
  assert.throws(() => hashedSource(file).sha256(), /became shorter/)
})
