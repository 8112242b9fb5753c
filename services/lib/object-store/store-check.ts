import type { ObjectStore } from './object-store.ts'
import { isStoreError } from './store-error.ts'

/**
 * Returns a check for `/readyz`. It returns a sentence if the store refuses the key or has no such bucket,
 * because no later request can succeed then. A store that is away passes: requests that need it get 503.
 * After the first success the check asks no more.
 */
export function createStoreCheck(store: Pick<ObjectStore, 'check'>): () => Promise<true | string> {
  let verdict: Promise<true | string> | null = null

  async function ask(): Promise<true | string> {
    try {
      await store.check()
      return true
    } catch (error) {
      verdict = null
      return refusal(error) ?? true
    }
  }

  return async () => {
    verdict ??= ask()
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<true>(resolve => {
      timer = setTimeout(resolve, SILENT_AFTER_MS, true)
    })
    try {
      return await Promise.race([verdict, silence])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A store that is silent for so long counts as away. Shorter than `/readyz` waits for a check. */
const SILENT_AFTER_MS = 1_000

function refusal(error: unknown): string | null {
  if (!isStoreError(error)) return null
  const { $metadata } = (error.cause ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return REFUSALS[$metadata?.httpStatusCode ?? 0] ?? null
}

const REFUSALS: Readonly<Record<number, string>> = {
  301: 'The bucket of S3_BUCKET is in another region than S3_REGION.',
  400: 'The object store refuses the request: check S3_REGION and the addresses of S3_ENDPOINT.',
  401: 'The object store does not know the key of S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
  403: 'The object store refuses the key of S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY for the bucket of S3_BUCKET.',
  404: 'The object store of S3_ENDPOINT has no bucket that is called like S3_BUCKET.',
}
