/**
 * Random access to the bytes of one file, wherever they lie: a `Blob` in the browser, a file
 * descriptor or a buffer on a server. The reader never asks for the whole of it.
 */
export interface ByteSource {
  /** Size in bytes. Fixed for the life of the source. */
  readonly size: number
  /**
   * Fills `target` from `offset` on and resolves to the number of bytes filled, which is smaller
   * than `target.byteLength` only where the source ends. Synchronous sources answer at once, so
   * that a tight loop over a file does not pay for a promise a block.
   */
  read(offset: number, target: Uint8Array): number | Promise<number>
}

/** A source over bytes that are in memory already. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    read(offset, target) {
      const part = bytes.subarray(offset, Math.min(offset + target.byteLength, bytes.byteLength))
      target.set(part)
      return part.byteLength
    },
  }
}
