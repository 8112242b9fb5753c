/**
 * `not_found`: there is no such object. `changed`: the object is not the one that was asked for, by its
 * ETag, or is shorter than the range. `unavailable`: the store cannot be reached, is too slow, or refuses
 * this client; the same call may go through later.
 */
export type StoreErrorCode = 'not_found' | 'changed' | 'unavailable'

/** Why a call to the object store failed. Its cause is for logs: it can name hosts and keys. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, cause?: unknown) {
    super(`object store: ${code}`, { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code)
}

/** What the SDK or a socket threw, as one of ours. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { name, $metadata } = (error ?? {}) as {
    readonly name?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  // A bucket that is not there is a store that is not set up, whatever the key.
  if (name === 'NoSuchBucket') return new StoreError('unavailable', error)
  if (status === 404 || name === 'NoSuchKey' || name === 'NotFound') return new StoreError('not_found', error)
  if (status === 412 || status === 304 || status === 416) return new StoreError('changed', error)
  return new StoreError('unavailable', error)
}
