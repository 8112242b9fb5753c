import type { ByteSource } from '@lapwing/telemetry'
import { isFileChange } from './file-changes.ts'
import { fileChanged } from './read-error.ts'

/**
 * Returns a source over a file in the browser. A read inside the last slice is answered synchronously,
 * because each call of the browser costs a promise and a copy. While a slice is used, the browser reads the one behind
 * it. So it holds two slices in memory.
 *
 * Reads reject with a `ReadError` if the file on disk is no longer the one that was chosen.
 */
export function blobSource(blob: Blob, sliceBytes = 4 * 1024 * 1024): ByteSource {
  let slice: Slice = { start: 0, bytes: new Uint8Array(0) }
  let ahead: { readonly start: number; readonly loading: Promise<Slice> } | null = null

  async function load(start: number): Promise<Slice> {
    const end = Math.min(start + sliceBytes, blob.size)
    let bytes: ArrayBuffer
    try {
      bytes = await blob.slice(start, end).arrayBuffer()
    } catch (error) {
      throw isFileChange(error) ? fileChanged() : error
    }
    if (bytes.byteLength < end - start) throw fileChanged()
    return { start, bytes: new Uint8Array(bytes) }
  }

  async function advance(start: number): Promise<Slice> {
    const isNext = start === endOf(slice)
    const loading = ahead?.start === start ? ahead.loading : load(start)
    ahead = null
    const loaded = await loading
    slice = loaded
    // A reader that jumps does not need what is behind.
    if (isNext && endOf(loaded) < blob.size) {
      ahead = { start: endOf(loaded), loading: load(endOf(loaded)) }
      // Who reads on gets the error.
      ahead.loading.catch(() => {})
    }
    return loaded
  }

  async function readOn(offset: number, target: Uint8Array): Promise<number> {
    let filled = copy(slice, offset, target)
    while (filled < target.byteLength) {
      filled += copy(await advance(offset + filled), offset + filled, target.subarray(filled))
    }
    return filled
  }

  return {
    size: blob.size,
    read(offset, target) {
      const end = Math.min(offset + target.byteLength, blob.size)
      if (offset >= end) return 0
      if (offset >= slice.start && end <= endOf(slice)) return copy(slice, offset, target)
      return readOn(offset, target.subarray(0, end - offset))
    },
  }
}

interface Slice {
  /** Bytes from the start of the file. */
  readonly start: number
  readonly bytes: Uint8Array
}

function endOf({ start, bytes }: Slice): number {
  return start + bytes.byteLength
}

/** Copies what a slice has from `offset` on. Returns the number of bytes. */
function copy(slice: Slice, offset: number, target: Uint8Array): number {
  if (offset < slice.start || offset >= endOf(slice)) return 0
  const from = offset - slice.start
  const part = slice.bytes.subarray(from, from + target.byteLength)
  target.set(part)
  return part.byteLength
}
