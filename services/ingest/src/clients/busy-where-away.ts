import { AppError } from '@lapwing/http'
import { ServiceUnavailable } from '@lapwing/internal'

/** Answers 503 `ingest.busy` to whoever waits for another service that does not answer as it should. */
export async function busyWhereAway<Value>(
  asked: Promise<Value>,
  { retryAfterS, detail }: { readonly retryAfterS: number; readonly detail?: string },
): Promise<Value> {
  try {
    return await asked
  } catch (cause) {
    if (!(cause instanceof ServiceUnavailable)) throw cause
    const headers = { 'retry-after': String(retryAfterS) }
    throw new AppError('ingest.busy', { ...(detail !== undefined && { detail }), headers, cause })
  }
}
