import { buffer } from 'node:stream/consumers'
import { AppError } from '@lapwing/http'
import { isStoreError, type ObjectStore } from '@lapwing/object-store'
import { IBT_HEADER_BYTES, IbtError, readIbtHeader } from '@lapwing/telemetry'
import { storeUnavailable } from './store-unavailable.ts'

/**
 * Checks that the object of a key has the announced size and a telemetry header. The policy of the form
 * limits the size already, but the check does not rely on the store.
 *
 * @returns the ETag of the checked object; null if there is none
 */
export async function inspectObject(
  store: Pick<ObjectStore, 'head' | 'get'>,
  { key, size }: { readonly key: string; readonly size: number },
): Promise<string | null> {
  // A valid form can be used again, so the object may be replaced between two calls.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
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

const MAX_ATTEMPTS = 3
