import { open } from 'node:fs/promises'
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
 * Streams the object to `path`. Throws a `Refusal` where it is gone, or is not the object that was checked;
 * a `StoreError` where the store cannot be reached or hangs up; what the file system throws; and the
 * signal's reason.
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
