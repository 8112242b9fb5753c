import { pipeline } from 'node:stream/promises'
import { isStoreError, type ObjectStore, StoreError } from '@lapwing/object-store'
import { createHashingSink } from './hashing-sink.ts'
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
  const sink = createHashingSink(path)
  const watch = setInterval(() => onProgress(sink.bytes() / size), 250)
  try {
    await pipeline(object.body, sink.stream, { signal })
  } finally {
    clearInterval(watch)
  }
  if (sink.bytes() !== size)
    throw new StoreError('unavailable', new Error(`${sink.bytes()} of ${size} bytes came`))
  return sink.digest()
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
