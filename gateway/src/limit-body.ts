import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'

/**
 * A request's body as it passes through, never held. It breaks off with `gateway.body_too_large`
 * when more than `limitBytes` have passed, and when `clientGone` says so. Whoever reads it may
 * destroy it without harm to the client's connection, on which an answer may still have to be sent:
 * the rest of the body is then thrown away.
 */
export function limitBody(request: IncomingMessage, limitBytes: number, clientGone: AbortSignal): Readable {
  let passed = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > limitBytes) done(new AppError<GatewayCode>('gateway.body_too_large'))
      else done(null, chunk)
    },
  })
  // The reader hears of it from its own listener; without one here an early end would be uncaught.
  body.on('error', () => {})
  body.once('close', () => {
    request.unpipe(body)
    request.resume()
  })
  clientGone.addEventListener('abort', () => body.destroy(clientGone.reason))
  request.pipe(body)
  return body
}
