import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '@lapwing/telemetry'

/** A source over an open file. `read` is synchronous; after `close` it throws. */
export interface FileSource extends ByteSource {
  read(offset: number, target: Uint8Array): number
  close(): void
}

/**
 * Opens `path` for reading. The size is fixed when it is opened: a file that grows later is read up to that
 * size, one that shrinks returns short reads. Throws the errors of `node:fs`.
 */
export function openFileSource(path: string): FileSource {
  const descriptor = openSync(path, 'r')
  let isOpen = true
  try {
    const { size } = fstatSync(descriptor)
    return {
      size,
      read(offset, target) {
        // The number of a closed descriptor may belong to another file by now.
        if (!isOpen) throw new Error('The file is closed.')
        return readFully(descriptor, offset, target, Math.min(target.byteLength, Math.max(0, size - offset)))
      },
      close() {
        if (!isOpen) return
        isOpen = false
        closeSync(descriptor)
      },
    }
  } catch (cause) {
    closeSync(descriptor)
    throw cause
  }
}

/**
 * Returns the bytes read. Reads again after a short read: read(2) may return fewer bytes before the end of
 * the file.
 */
export function readFully(descriptor: number, offset: number, target: Uint8Array, length: number): number {
  let filled = 0
  while (filled < length) {
    const got = readSync(descriptor, target, filled, length - filled, offset + filled)
    if (got === 0) break
    filled += got
  }
  return filled
}
