import type { ByteSource } from '../byte-source.ts'

export interface CountingSource extends ByteSource {
  /** Bytes asked for so far, and the largest number of them at once. */
  readonly asked: { bytes: number; most: number }
}

/** Passes reads on to `source` and counts what is asked of it. */
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
