import type { ByteSource } from '../byte-source.ts'

export interface CountingSource extends ByteSource {
  /** Bytes read so far, and the largest number in one read. */
  readonly asked: { bytes: number; most: number }
}

/** Forwards reads to `source` and counts them. */
export function countingSource(source: ByteSource): CountingSource {
  const asked = { bytes: 0, most: 0 }
  return {
    size: source.size,
    asked,
    read(offset, target) {
      asked.bytes += target.byteLength
      asked.most = Math.max(asked.most, target.byteLength)
      return source.read(offset, target)
    },
  }
}
