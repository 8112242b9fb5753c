import { connect as connectPlainly, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { StoreError } from './store-error.ts'

/** A GET as it goes over the wire. */
export interface DownloadRequest {
  readonly isSecure: boolean
  readonly host: string
  readonly port: number
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export interface DownloadLimits {
  readonly connectWithinMs: number
  readonly answerWithinMs: number
  readonly stallMs: number
}

/** Takes the next part of an object, which is overwritten once the promise has resolved. */
export type TakePart = (part: Uint8Array) => Promise<unknown>

/**
 * Makes downloads over connections of their own, read straight into two blocks of memory that are filled
 * in turn and used again. The usual client makes a buffer of each few kilobytes that come: of a file of
 * 20 MiB, making, copying and collecting those took more processor time than hashing and judging it.
 */
export function createDirectDownload({ connectWithinMs, answerWithinMs, stallMs }: DownloadLimits) {
  const idle: Blocks[] = []

  /**
   * Gives an object of `size` bytes to `take`, part by part. Understands one answer, 200 with its length:
   * resolves to false where another came or none, and nothing was taken. Rejects with a `StoreError` where
   * the object has another size (`changed`) or breaks off, with the signal's reason, and with what `take`
   * rejects with.
   */
  return async function download(
    request: DownloadRequest,
    size: number,
    take: TakePart,
    signal?: AbortSignal,
  ): Promise<boolean> {
    signal?.throwIfAborted()
    const blocks = idle.pop() ?? [newBlock(), newBlock()]
    const done = Promise.withResolvers<boolean>()
    let [filling] = blocks
    let filled = 0
    /** Bytes of the body that have yet to come; null before its head. */
    let missing: number | null = null
    let taking: Promise<void> | null = null

    const fail = (error: unknown) => (missing === null ? done.resolve(false) : done.reject(error))
    const stop = () => done.reject(signal!.reason)
    const late = () => {
      // A reader that is slow itself is waited for.
      if (taking !== null) timer.refresh()
      else fail(new StoreError('unavailable', new Error('no byte came for too long')))
    }
    let timer = setTimeout(late, connectWithinMs)
    const allow = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(late, ms)
    }

    const place = {
      host: request.host,
      port: request.port,
      onread: {
        buffer: () => filling.subarray(filled),
        callback(bytes: number) {
          filled += bytes
          if (missing === null) readHead()
          else {
            missing -= bytes
            timer.refresh()
          }
          if (missing !== null) handOver()
          // What comes all the same, since TLS had it already, goes to the other block.
          return taking === null
        },
      },
    }
    const socket = request.isSecure
      ? connectSecurely({ ...place, ...(isIP(request.host) === 0 && { servername: request.host }) })
      : connectPlainly(place)
    socket.once(request.isSecure ? 'secureConnect' : 'connect', () => {
      allow(answerWithinMs)
      socket.write(textOf(request))
    })
    socket.on('error', fail)
    socket.on('close', () => {
      if (missing !== 0) fail(new StoreError('unavailable', new Error(`${missing} bytes did not come`)))
    })
    signal?.addEventListener('abort', stop)

    function readHead(): void {
      const end = filling.subarray(0, filled).indexOf('\r\n\r\n')
      if (end < 0 && filled < maxHeadBytes) return
      const length = lengthOf(filling.toString('latin1', 0, Math.max(0, end)))
      if (length === null) done.resolve(false)
      else if (length !== size) {
        done.reject(new StoreError('changed', new Error(`it has ${length} bytes, not ${size}`)))
      } else {
        filling.copyWithin(0, end + 4, filled)
        filled -= end + 4
        missing = length - filled
        allow(stallMs)
      }
    }

    function handOver(): void {
      if (missing! < 0 || (taking !== null && filled === blockBytes)) {
        fail(new StoreError('unavailable', new Error('more came than there should')))
      } else if (filled === 0 && missing === 0) {
        done.resolve(true)
      } else if (taking === null && (filled === blockBytes || missing === 0)) {
        taking = take(filling.subarray(0, filled)).then(() => {
          taking = null
          handOver()
          socket.resume()
        })
        taking.catch(done.reject)
        filling = blocks[filling === blocks[0] ? 1 : 0]
        filled = 0
      }
    }

    try {
      return await done.promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      socket.destroy()
      // Nothing may be read from a block that another download fills.
      await (taking as Promise<void> | null)?.catch(() => undefined)
      idle.push(blocks)
    }
  }
}

type Blocks = readonly [Buffer, Buffer]

const blockBytes = 1024 * 1024
const maxHeadBytes = 32 * 1024

function newBlock(): Buffer {
  return Buffer.allocUnsafeSlow(blockBytes)
}

function textOf({ target, headers }: DownloadRequest): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Of the body that follows such a head; null where that is not what it says. */
function lengthOf(head: string): number | null {
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map(line => [line.split(':', 1)[0]!.toLowerCase(), line]))
  const length = /^content-length: *(\d+) *$/i.exec(headers.get('content-length') ?? '')?.[1]
  const isPlain = status.startsWith('HTTP/1.1 200 ') && !headers.has('transfer-encoding')
  return isPlain && length !== undefined ? Number(length) : null
}
