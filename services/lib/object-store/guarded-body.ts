import { pipeline, type Readable, Transform } from 'node:stream'
import { StoreError, toStoreError } from './store-error.ts'

/**
 * The body of an object as the store sends it. A store that falls silent in the middle, or hangs up,
 * ends it with a `StoreError`; `signal` ends it with the signal's reason. A reader that is slow itself
 * is waited for.
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
    // Nothing is asked of the store while what it sent has not been read.
    if (body.writableNeedDrain) timer.refresh()
    else source.destroy(new StoreError('unavailable', new Error(`no byte came for ${stallMs} ms`)))
  }, stallMs)
  const stop = () => body.destroy(signal!.reason as Error)
  signal?.addEventListener('abort', stop)
  pipeline(source, body, () => clearTimeout(timer))
  return body
}
