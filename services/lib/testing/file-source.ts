import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '@lapwing/telemetry'

/** A file on disk as a `ByteSource` that answers at once. `close` it when done. */
export function openFileSource(path: string): ByteSource & { close(): void } {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read: (offset, target) => readSync(file, target, 0, target.byteLength, offset),
    close: () => closeSync(file),
  }
}
