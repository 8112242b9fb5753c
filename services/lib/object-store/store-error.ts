/**
 * `not_found`: there is no such object. `changed`: the object has another ETag, or is shorter than the range.
 * `unavailable`: the store is unreachable, too slow, or refuses this client; the same call may succeed later.
 */
export type StoreErrorCode = 'not_found' | 'changed' | 'unavailable'

/** Reports why a call to the object store failed. Its cause is for logs: it can name hosts and keys. */
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

/** Converts an error of the SDK or a socket. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { name, $metadata } = (error ?? {}) as {
    readonly name?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  // A missing bucket means that the store is not set up, whatever the key.
  if (name === 'NoSuchBucket') return new StoreError('unavailable', error)
  if (status === 404 || name === 'NoSuchKey' || name === 'NotFound') return new StoreError('not_found', error)
  if (status === 412 || status === 304 || status === 416) return new StoreError('changed', error)
  return new StoreError('unavailable', error)
}
