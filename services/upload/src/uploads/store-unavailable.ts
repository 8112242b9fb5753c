import { AppError } from '@lapwing/http'

/** Creates the error for a store that cannot be reached. The client may retry after 5 s. */
export function storeUnavailable(cause?: unknown): AppError {
  return new AppError('upload.store_unavailable', { cause, headers: { 'retry-after': '5' } })
}
