import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blobSource } from './blob-source.ts'
import { FILE_CHANGED } from './file-changes.ts'

test('returns the bytes of the file for any sequence of reads, as many as there are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 0, maxLength: 300 }),
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.tuple(fc.nat(320), fc.nat(100)), { maxLength: 20 }),
      async (bytes, sliceBytes, reads) => {
        const source = blobSource(new Blob([bytes]), sliceBytes)
        assert.equal(source.size, bytes.byteLength)
        for (const [offset, length] of reads) {
          const target = new Uint8Array(length)
          const filled = await source.read(offset, target)
          const expected = bytes.subarray(offset, offset + length)
          assert.equal(filled, expected.byteLength)
          assert.deepEqual(target.subarray(0, filled), new Uint8Array(expected))
        }
      },
    ),
  )
})

test('answers reads inside one slice synchronously', async () => {
  const source = blobSource(new Blob([new Uint8Array(100)]), 50)
  const first = source.read(0, new Uint8Array(10))
  assert.ok(first instanceof Promise)
  await first
  assert.equal(source.read(10, new Uint8Array(40)), 40)
  assert.ok(source.read(50, new Uint8Array(10)) instanceof Promise)
})

test('has the browser read one slice ahead, until a read jumps', async () => {
  const blob = new Blob([new Uint8Array(100)])
  const starts: number[] = []
  const slice = (start: number, end: number) => {
    starts.push(start)
    return new Blob([new Uint8Array(end - start)])
  }
  const source = blobSource(Object.defineProperty(blob, 'slice', { value: slice }), 30)
  await source.read(0, new Uint8Array(10))
  assert.deepEqual(starts, [0, 30])
  source.read(10, new Uint8Array(20))
  assert.deepEqual(starts, [0, 30])
  await source.read(25, new Uint8Array(10))
  assert.deepEqual(starts, [0, 30, 60])
  await source.read(65, new Uint8Array(10))
  assert.deepEqual(starts, [0, 30, 60, 65])
})

test('rejects the read that needs a slice which the browser refused ahead', async () => {
  const blob = new Blob([new Uint8Array(20)])
  const refused = { arrayBuffer: () => Promise.reject(new DOMException('No.', 'NotReadableError')) }
  const slice = (start: number) => (start === 0 ? new Blob([new Uint8Array(10)]) : refused)
  const source = blobSource(Object.defineProperty(blob, 'slice', { value: slice }), 10)
  assert.equal(await source.read(0, new Uint8Array(10)), 10)
  await assert.rejects(async () => source.read(10, new Uint8Array(1)), { code: 'page.file_changed' })
})

test('reports a file as changed if the browser refuses to read it, or if it ends too soon', async () => {
  const refused = { arrayBuffer: () => Promise.reject(new DOMException('No.', 'NotReadableError')) }
  for (const part of [refused, new Blob([new Uint8Array(9)])]) {
    const blob = Object.defineProperty(new Blob([new Uint8Array(10)]), 'slice', { value: () => part })
    await assert.rejects(async () => blobSource(blob).read(0, new Uint8Array(10)), {
      code: 'page.file_changed',
      message: FILE_CHANGED,
    })
  }
})
