import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'

/**
 * A request's body as it passes through, never held. When more than `limitBytes` have passed,
 * `stop` is aborted with `gateway.body_too_large`; when `stop` is aborted, the body breaks off.
 * Whoever reads it may destroy it without harm to the client's connection, on which an answer may
 * still have to be sent: the rest of what the client sends is then thrown away.
 */
export function limitBody(request: IncomingMessage, limitBytes: number, stop: AbortController): Readable {
  let passed = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed <= limitBytes) done(null, chunk)
      else stop.abort(new AppError<GatewayCode>('gateway.body_too_large'))
    },
  })
  // The reader hears of it from its own listener; without one here an early end would be uncaught.
  body.on('error', () => {})
  body.once('close', () => {
    request.unpipe(body)
    request.resume()
  })
  stop.signal.addEventListener('abort', () => body.destroy(stop.signal.reason))
  request.pipe(body)
  return body
}
