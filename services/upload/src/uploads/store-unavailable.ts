import { AppError } from '@lapwing/http'

/** The store cannot be reached; the same request may go through a little later. */
export function storeUnavailable(cause?: unknown): AppError {
  return new AppError('upload.store_unavailable', { cause, headers: { 'retry-after': '5' } })
}
