import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashedSource } from './hashed-source.ts'

/** A file whose reads are counted by byte. */
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

test('whatever is read of a file and in whatever order, the hash is that of all its bytes', () => {
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

test('a file that is read in its order is read once', () => {
  const bytes = Uint8Array.from({ length: 500_000 }, (_, index) => index % 253)
  const file = aSource(bytes)
  const source = hashedSource(file)
  for (let offset = 0; offset < 400_000; offset += 40_000) source.read(offset, new Uint8Array(40_000))
  assert.equal(source.sha256().toString('hex'), hashOf(bytes))
  assert.equal(file.bytesRead(), bytes.byteLength)
})

test('a file that became shorter has no hash', () => {
  const file = { ...aSource(new Uint8Array(10)), size: 20 }
  assert.throws(() => hashedSource(file).sha256(), /became shorter/)
})
