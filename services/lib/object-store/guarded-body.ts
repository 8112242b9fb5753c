import { pipeline, type Readable, Transform } from 'node:stream'
import { StoreError, toStoreError } from './store-error.ts'

/**
 * Returns the body of an object as the store sends it. If the store stops sending or closes the connection,
 * it ends with a `StoreError`. `signal` ends it with the signal's reason. A slow reader has no time limit.
 */
export function guardedBody(
  source: Readable,
  { stallMs, signal }: { readonly stallMs: number; readonly signal?: AbortSignal | undefined },
): Readable {
  const body = new Transform({
    transform(chunk, _encoding, done) {
      timer.refresh()
      done(null, chunk)
    },
    destroy(error, done) {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      if (error === null) done(null)
      else done(signal?.aborted ? (signal.reason as Error) : toStoreError(error))
    },
  })
  const timer = setTimeout(() => {
    // The store cannot send more until the reader has read what came.
    if (body.writableNeedDrain) timer.refresh()
    else source.destroy(new StoreError('unavailable', new Error(`no byte came for ${stallMs} ms`)))
  }, stallMs)
  const stop = () => body.destroy(signal!.reason as Error)
  signal?.addEventListener('abort', stop)
  pipeline(source, body, () => clearTimeout(timer))
  return body
}
