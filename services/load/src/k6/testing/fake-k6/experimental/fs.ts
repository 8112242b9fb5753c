import { open as openFile } from 'node:fs/promises'

/** The part of `k6/experimental/fs` that the scripts use. */
export const SeekMode = { Start: 0 } as const

export async function open(path: string) {
  const file = await openFile(path)
  let at = 0
  return {
    async seek(offset: number) {
      at = offset
      return at
    },
    async read(into: Uint8Array) {
      const { bytesRead } = await file.read(into, 0, into.length, at)
      at += bytesRead
      return bytesRead
    },
  }
}
