import { AppError } from '@lapwing/http'
import { ServiceUnavailable } from '@lapwing/internal'

/** Waits for another service. Throws `ingest.busy` (503, Retry-After) instead of a `ServiceUnavailable`. */
export async function busyIfUnavailable<Value>(
  answer: Promise<Value>,
  { retryAfterS, detail }: { readonly retryAfterS: number; readonly detail?: string },
): Promise<Value> {
  try {
    return await answer
  } catch (cause) {
    if (!(cause instanceof ServiceUnavailable)) throw cause
    const headers = { 'retry-after': String(retryAfterS) }
    throw new AppError('ingest.busy', { ...(detail !== undefined && { detail }), headers, cause })
  }
}
