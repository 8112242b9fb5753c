import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isStoreError, type ObjectStore, StoreError } from '@lapwing/object-store'
import { Refusal } from './judge-file.ts'

export interface WantedFile {
  readonly key: string
  /** As upload saw it when it checked the object. */
  readonly etag: string
  /** Bytes. */
  readonly size: number
}

/**
 * Streams the object to `path` and gives the SHA-256 of its bytes. Throws a `Refusal` where it is gone,
 * or is not the object that was checked; a `StoreError` where the store cannot be reached or hangs up;
 * what the file system throws; and the signal's reason.
 */
export async function fetchFile(
  store: Pick<ObjectStore, 'get'>,
  { key, etag, size }: WantedFile,
  path: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<Buffer> {
  const object = await open(store, key, etag, signal)
  if (object.size !== size) {
    object.body.destroy()
    throw new Refusal('ingest.file_replaced')
  }
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.byteLength
      onProgress(bytes / size)
      yield chunk
    }
  }
  await pipeline(object.body, counted, createWriteStream(path, { mode: 0o600 }), { signal })
  if (bytes !== size) throw new StoreError('unavailable', new Error(`${bytes} of ${size} bytes came`))
  return hash.digest()
}

async function open(store: Pick<ObjectStore, 'get'>, key: string, etag: string, signal: AbortSignal) {
  try {
    return await store.get(key, { ifMatch: etag, signal })
  } catch (error) {
    if (isStoreError(error, 'changed')) throw new Refusal('ingest.file_replaced')
    if (isStoreError(error, 'not_found')) throw new Refusal('ingest.upload_not_found')
    throw error
  }
}
