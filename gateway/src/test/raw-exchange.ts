import { connect } from 'node:net'

/** The answers on one connection, read until it ended or fell silent. */
export interface RawAnswer {
  readonly text: string
  /** Status of the first answer; null if there was none. */
  readonly status: number | null
  /** Status of every answer on the connection, in order. */
  readonly statuses: readonly number[]
  readonly closed: boolean
}

/**
 * Writes bytes to a port unchanged. Reads until `until` returns true, the peer closes, or nothing has arrived
 * for `silenceMs`.
 */
export function rawExchange(
  port: number,
  bytes: string | Uint8Array,
  { silenceMs = 5_000, until = isWhole }: { silenceMs?: number; until?: (text: string) => boolean } = {},
): Promise<RawAnswer> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    let done = false
    const finish = (closed: boolean) => {
      if (done) return
      done = true
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      resolve({ text, status: statuses[0] ?? null, statuses, closed })
    }
    socket.setTimeout(silenceMs, () => finish(false))
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      if (until(text)) finish(false)
    })
    // A reset after the answer counts as a normal end.
    socket.on('error', () => finish(true))
    socket.on('close', () => finish(true))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

/** Returns whether the text holds one whole answer with a stated length. */
export function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /^content-length: (\d+)/im.exec(text.slice(0, headEnd))?.[1]
  return length !== undefined && text.length - headEnd - 4 >= Number(length)
}
