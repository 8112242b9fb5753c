import { request } from 'node:http'
import type { Leave } from '../plan/wave-plan.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Milliseconds after which the client gives up. */
  readonly withinMs: number
  /** Where the client closes the connection during the call; null if it does not. */
  readonly leaves?: Leave['at'] | null
}

/** The result of a call for the client: an answer, or the reason why there is none. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  /** `stuck`: every answer was that the work continues. */
  | { readonly kind: 'failed'; readonly why: 'network' | 'timeout' | 'stuck' }
  | { readonly kind: 'gone' }

/**
 * Sends one HTTP call over its own connection. Never rejects. A body that is not a JSON object is returned as
 * an empty one.
 */
export function send({ method, url, headers, body, withinMs, leaves }: Request): Promise<Sent> {
  return new Promise(resolve => {
    const outgoing = request(url, {
      method,
      agent: false,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': body.byteLength }) },
    })
    const end = (sent: Sent) => {
      clearTimeout(timer)
      resolve(sent)
      outgoing.destroy()
    }
    const timer = setTimeout(() => end({ kind: 'failed', why: 'timeout' }), withinMs)
    outgoing.on('error', () => end({ kind: 'failed', why: 'network' }))
    outgoing.on('response', response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', () => end({ kind: 'failed', why: 'network' }))
      response.on('end', () =>
        end({ kind: 'answered', status: response.statusCode!, body: toObject(Buffer.concat(pieces)) }),
      )
    })
    if (leaves === null || leaves === undefined) outgoing.end(body)
    else if (leaves === 'before the answer' || body === undefined) {
      outgoing.end(body, () => end({ kind: 'gone' }))
    } else {
      const part = body.subarray(0, Math.floor(body.byteLength * leaves.share))
      outgoing.write(part.byteLength === 0 ? '' : part)
      // Closed once the part is handed to the network, however slow that is.
      outgoing.flushHeaders()
      outgoing.once('socket', socket => {
        socket.once('connect', () => socket.write('', () => end({ kind: 'gone' })))
      })
    }
  })
}

function toObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
