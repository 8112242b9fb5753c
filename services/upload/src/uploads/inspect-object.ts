import { buffer } from 'node:stream/consumers'
import { AppError } from '@lapwing/http'
import { isStoreError, type ObjectStore } from '@lapwing/object-store'
import { IBT_HEADER_BYTES, IbtError, readIbtHeader } from '@lapwing/telemetry'
import { storeUnavailable } from './store-unavailable.ts'

/**
 * Looks at what arrived under a key: that it has the size announced and begins as telemetry does. The
 * policy promised the size already, but what a store enforces is not relied on.
 *
 * @returns the ETag of the object that was looked at; null where there is none
 */
export async function lookAtObject(
  store: Pick<ObjectStore, 'head' | 'get'>,
  { key, size }: { readonly key: string; readonly size: number },
): Promise<string | null> {
  // A form can be used again while it is good; the object may be replaced between two looks.
  for (let look = 1; look <= MAX_LOOKS; look++) {
    try {
      const facts = await store.head(key)
      if (facts.size !== size) throw new AppError('upload.size_differs')
      const { body } = await store.get(key, {
        ifMatch: facts.etag,
        range: [0, Math.min(IBT_HEADER_BYTES, size) - 1],
      })
      readIbtHeader(await buffer(body), size)
      return facts.etag
    } catch (error) {
      if (isStoreError(error, 'changed')) continue
      if (isStoreError(error, 'not_found')) return null
      if (isStoreError(error)) throw storeUnavailable(error)
      if (error instanceof IbtError) throw new AppError('upload.not_telemetry', { detail: error.message })
      throw error
    }
  }
  throw new AppError('upload.busy', { headers: { 'retry-after': '2' } })
}

const MAX_LOOKS = 3
