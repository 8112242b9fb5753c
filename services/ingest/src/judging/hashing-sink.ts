import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Writable } from 'node:stream'

export interface HashingSink {
  readonly stream: Writable
  /** Of all bytes, once the stream has finished. */
  digest(): Buffer
  /** So far. */
  bytes(): number
}

/**
 * Writes a file, and hashes what it writes, in blocks of a megabyte: the pieces of a connection are so
 * small that handing each of them over costs more than the work itself.
 */
export function createHashingSink(path: string): HashingSink {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  let bytes = 0
  let file: FileHandle | null = null

  async function flush(): Promise<void> {
    if (filled === 0) return
    const part = block.subarray(0, filled)
    hash.update(part)
    for (let written = 0; written < filled; ) {
      written += (await file!.write(part, written)).bytesWritten
    }
    filled = 0
  }

  async function take(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.byteLength; ) {
      const copied = chunk.copy(block, filled, from)
      from += copied
      filled += copied
      if (filled === blockBytes) await flush()
    }
  }

  const stream = new Writable({
    construct(done) {
      open(path, 'w', 0o600).then(opened => {
        file = opened
        done()
      }, done)
    },
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength
      if (filled + chunk.byteLength < blockBytes) {
        filled += chunk.copy(block, filled)
        done()
      } else {
        take(chunk).then(() => done(), done)
      }
    },
    final(done) {
      flush().then(() => done(), done)
    },
    destroy(error, done) {
      if (file === null) done(error)
      else file.close().then(() => done(error), done)
    },
  })
  return { stream, digest: () => hash.digest(), bytes: () => bytes }
}

const blockBytes = 1024 * 1024
