import { open } from 'node:fs/promises'
import { isStoreError, type ObjectStore, StoreError } from '@lapwing/object-store'
import { Refusal } from './judge-file.ts'

export interface WantedFile {
  readonly key: string
  /** The ETag of the object that upload checked. */
  readonly etag: string
  /** Bytes. */
  readonly size: number
}

/**
 * Streams the object to `path`. Throws a `Refusal` if the object is gone or is not the one that was checked,
 * and a `StoreError` if the store is down or hangs up. Throws errors of the file system and the signal's
 * reason as they are.
 */
export async function fetchFile(
  store: Pick<ObjectStore, 'download'>,
  { key, etag, size }: WantedFile,
  path: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  let written = 0
  try {
    await store.download(key, { ifMatch: etag, size, signal }, async part => {
      for (let from = 0; from < part.byteLength; ) from += (await file.write(part, from)).bytesWritten
      written += part.byteLength
      onProgress(written / size)
    })
  } catch (error) {
    if (isStoreError(error, 'changed')) throw new Refusal('ingest.file_replaced')
    if (isStoreError(error, 'not_found')) throw new Refusal('ingest.upload_not_found')
    throw error
  } finally {
    await file.close()
  }
  if (written !== size) throw new StoreError('unavailable', new Error(`${written} of ${size} bytes came`))
}
