import type { ByteSource } from '@lapwing/telemetry'
import { isFileChange } from './file-changes.ts'
import { fileChanged } from './read-error.ts'

/**
 * Returns a source over a file in the browser. A read inside the last slice is answered synchronously,
 * because each call of the browser costs a promise and a copy. Otherwise the next slice is loaded from there.
 * It holds one slice in memory.
 *
 * Reads reject with a `ReadError` if the file on disk is no longer the one that was chosen.
 */
export function blobSource(blob: Blob, sliceBytes = 4 * 1024 * 1024): ByteSource {
  let start = 0
  let slice = new Uint8Array(0)

  const fromSlice = (offset: number, target: Uint8Array): number => {
    const part = slice.subarray(offset - start, offset - start + target.byteLength)
    target.set(part)
    return part.byteLength
  }

  return {
    size: blob.size,
    read(offset, target) {
      const end = Math.min(offset + target.byteLength, blob.size)
      if (offset >= end) return 0
      if (offset >= start && end <= start + slice.byteLength) return fromSlice(offset, target)
      const sliceEnd = Math.min(Math.max(end, offset + sliceBytes), blob.size)
      return blob
        .slice(offset, sliceEnd)
        .arrayBuffer()
        .then(
          bytes => {
            if (bytes.byteLength < sliceEnd - offset) throw fileChanged()
            start = offset
            slice = new Uint8Array(bytes)
            return fromSlice(offset, target)
          },
          error => {
            throw isFileChange(error) ? fileChanged() : error
          },
        )
    },
  }
}
