import { createHash } from 'node:crypto'
import type { FileSource } from '@lapwing/files'

export interface HashedSource extends FileSource {
  /** Returns the SHA-256 of all bytes; reads the rest first. Throws if the file became shorter. */
  sha256(): Buffer
}

/**
 * Hashes a file while it is read. If it is read in order, as a telemetry file is, each byte is read once and
 * hashed while it is still in memory.
 */
export function hashedSource(source: FileSource): HashedSource {
  const hash = createHash('sha256')
  const gap = new Uint8Array(64 * 1024)
  let hashed = 0
  let digest: Buffer | null = null

  function hashUpTo(end: number): void {
    while (hashed < end) {
      const part = gap.subarray(0, source.read(hashed, gap.subarray(0, end - hashed)))
      if (part.byteLength === 0) throw new Error('The file became shorter.')
      hash.update(part)
      hashed += part.byteLength
    }
  }

  return {
    size: source.size,
    read(offset, target) {
      hashUpTo(Math.min(offset, source.size))
      const bytes = source.read(offset, target)
      if (offset + bytes > hashed) {
        hash.update(target.subarray(hashed - offset, bytes))
        hashed = offset + bytes
      }
      return bytes
    },
    close: source.close,
    sha256() {
      if (digest === null) {
        hashUpTo(source.size)
        digest = hash.digest()
      }
      return digest
    },
  }
}
