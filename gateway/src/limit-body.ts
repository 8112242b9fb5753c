import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'
import type { Stop } from './stop.ts'

/**
 * Returns the body of a request as a stream. It aborts `stop` with `gateway.body_too_large` when more than
 * `limitBytes` have passed. When `stop` is aborted, the stream ends with its reason. The reader may destroy
 * the stream: the client's connection stays open for an answer, and the rest of the body is discarded.
 */
export function limitBody(request: IncomingMessage, limitBytes: number, stop: Stop): Readable {
  let passed = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed <= limitBytes) done(null, chunk)
      else stop.abort(new AppError<GatewayCode>('gateway.body_too_large'))
    },
  })
  // The reader has its own listener. Without one here, an error before that listener exists would be
  // uncaught.
  body.on('error', () => {})
  body.once('close', () => {
    request.unpipe(body)
    request.resume()
  })
  stop.once('abort', () => body.destroy(stop.reason))
  request.pipe(body)
  return body
}
