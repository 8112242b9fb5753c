/**
 * Random access to the bytes of one file: a `Blob` in the browser, a file descriptor or a buffer on a server.
 * The reader never asks for the whole file in one call.
 */
export interface ByteSource {
  /** Size in bytes. Fixed for the life of the source. */
  readonly size: number
  /**
   * Fills `target` from `offset` on and returns the number of bytes filled. That is less than
   * `target.byteLength` only at the end of the source. A synchronous source returns a number, so that a loop
   * over a file costs no promise for each block.
   */
  read(offset: number, target: Uint8Array): number | Promise<number>
}

/** Returns a source over bytes in memory. */
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
