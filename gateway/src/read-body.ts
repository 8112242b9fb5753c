import type { IncomingMessage } from 'node:http'
import { AppError } from '@lapwing/http'
import type { BodyRoom } from './body-room.ts'
import type { GatewayCode } from './errors.ts'

export interface BodyLimits {
  readonly bytes: number
  /** Milliseconds in which the whole body must arrive. */
  readonly deadlineMs: number
}

/**
 * Reads a whole body. Returns null if the client leaves before its end. Rejects with
 * `gateway.body_too_large`, with `gateway.request_timeout` if the body is not complete in time, and with what
 * `room.grow` throws. After a rejection `createApp` discards the rest of the body.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  room: BodyRoom,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    // One buffer that grows: a client that sends single bytes must not cost an object for each.
    let body: Buffer = Buffer.alloc(0)
    let length = 0
    const expected = Math.min(limits.bytes, Number(request.headers['content-length'] ?? limits.bytes))
    const timer = setTimeout(
      () => fail(new AppError<GatewayCode>('gateway.request_timeout')),
      limits.deadlineMs,
    )

    function onData(chunk: Buffer): void {
      try {
        if (length + chunk.length > limits.bytes) throw new AppError<GatewayCode>('gateway.body_too_large')
        if (length === 0) {
          room.grow(chunk.length)
          body = chunk
        } else {
          if (length + chunk.length > body.length) {
            const size = Math.min(expected, Math.max(2 * body.length, length + chunk.length))
            room.grow(size)
            const grown = Buffer.allocUnsafeSlow(size)
            body.copy(grown, 0, 0, length)
            body = grown
          }
          chunk.copy(body, length)
        }
        length += chunk.length
      } catch (error) {
        fail(error)
      }
    }
    function stop(): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    function fail(error: unknown): void {
      stop()
      reject(error)
    }
    function onEnd(): void {
      stop()
      resolve(body.subarray(0, length))
    }
    function onClose(): void {
      stop()
      resolve(null)
    }
    // `close` follows every error, and `onClose` handles it.
    request.on('error', () => {})
    request.on('data', onData).on('end', onEnd).on('close', onClose)
    if (request.destroyed) onClose()
  })
}
