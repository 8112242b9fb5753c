import { Agent } from 'undici'
import { StoreError, toStoreError } from './store-error.ts'

/** A signed GET request that is not sent yet. */
export interface DownloadRequest {
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface DownloadLimits {
  readonly connectWithinMs: number
  readonly answerWithinMs: number
  readonly stallMs: number
  readonly connections: number
}

/** Receives the next part of an object. The part is overwritten after the promise has resolved. */
export type TakePart = (part: Uint8Array) => Promise<unknown>

/** Downloads of large objects. This client needs two thirds of the processor time of the SDK's. */
export interface Downloads {
  /**
   * Passes an object of `size` bytes to `take`, in parts of a megabyte. Resolves to false, without a call of
   * `take`, if the answer is not 200 with a length, or if none came. Rejects with a `StoreError` if the
   * object has another size (`changed`) or ends early. Also rejects with the signal's reason and with errors
   * of `take`.
   */
  get(request: DownloadRequest, size: number, take: TakePart, signal?: AbortSignal): Promise<boolean>
  close(): void
}

export function createDownloads({
  connectWithinMs,
  answerWithinMs,
  stallMs,
  connections,
}: DownloadLimits): Downloads {
  const agent = new Agent({
    connections,
    connect: { timeout: connectWithinMs },
    headersTimeout: answerWithinMs,
    // Pauses while the reader is slow.
    bodyTimeout: stallMs,
  })

  /** Reused: a new one for each download would cost more to collect than the download itself. */
  const idleBlocks: Buffer[] = []

  async function ask({ origin, path, headers }: DownloadRequest, signal: AbortSignal | undefined) {
    try {
      return await agent.request({
        origin,
        path,
        method: 'GET',
        headers,
        highWaterMark: BLOCK_BYTES,
        ...(signal && { signal }),
      })
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }

  return {
    async get(request, size, take, signal) {
      signal?.throwIfAborted()
      const answer = await ask(request, signal)
      if (answer === null) return false
      const { statusCode, headers, body } = answer
      const length = Number(headers['content-length'])
      if (statusCode !== 200 || length !== size) {
        body.on('error', () => undefined).destroy()
        if (statusCode !== 200 || Number.isNaN(length)) return false
        throw new StoreError('changed', new Error(`it has ${length} bytes, not ${size}`))
      }
      // The chunks of a connection are so small that passing on each one costs more than the work.
      const block = idleBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
      let filled = 0
      const passBlock = async () => {
        await markReaderErrors(take(block.subarray(0, filled)))
        filled = 0
      }
      try {
        for await (const piece of body as AsyncIterable<Buffer>) {
          for (let from = 0; from < piece.byteLength; ) {
            const copied = piece.copy(block, filled, from)
            from += copied
            filled += copied
            if (filled === block.byteLength) await passBlock()
          }
        }
        if (filled > 0) await passBlock()
        return true
      } catch (error) {
        if (error instanceof ReaderError) throw error.cause
        signal?.throwIfAborted()
        throw toStoreError(error)
      } finally {
        idleBlocks.push(block)
      }
    },
    close() {
      void agent.destroy()
    },
  }
}

/** Separates errors of `take` from errors of the download. */
class ReaderError extends Error {}

async function markReaderErrors(reading: Promise<unknown>): Promise<void> {
  await reading.catch((cause: unknown) => {
    throw new ReaderError('', { cause })
  })
}

const BLOCK_BYTES = 1024 * 1024
