import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Direction of bytes: `there` to the server behind the proxy, `back` to the client. */
export type Way = 'there' | 'back'

/**
 * How a link treats its bytes.
 * - `fair`: they pass.
 * - `refusing`: open and new connections are reset.
 * - `slow`: every piece waits this many milliseconds, in order.
 * - `silent`: connections stay open, but no byte passes that way; held bytes pass afterwards.
 * - `cutting`: a connection is reset after this many bytes of answers.
 */
export type LinkCondition =
  | { readonly kind: 'fair' }
  | { readonly kind: 'refusing' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'silent'; readonly way: Way | 'both' }
  | { readonly kind: 'cutting'; readonly afterBytes: number }

export interface FaultProxy {
  /** On 127.0.0.1. */
  readonly port: number
  setCondition(condition: LinkCondition): void
  /** Resets every open connection. */
  cut(): void
  /**
   * Resolves when that many more bytes have passed that way: immediately for 0 or less, never if they do not
   * arrive.
   */
  passed(way: Way, bytes: number): Promise<void>
  close(): Promise<void>
}

/** Starts a TCP proxy to `targetPort` of 127.0.0.1 that can disturb the link between two processes. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let condition: LinkCondition = { kind: 'fair' }
  const pairs = new Set<Pair>()
  const waiters = new Set<Waiter>()
  let changed = Promise.withResolvers<void>()

  const count = (way: Way, bytes: number) => {
    for (const waiter of waiters) {
      if (waiter.way !== way) continue
      waiter.left -= bytes
      if (waiter.left > 0) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }

  /** Waits until a piece may pass. Returns false if its connection must be reset instead. */
  const admit = async (pair: Pair, way: Way, bytes: number): Promise<boolean> => {
    if (condition.kind === 'slow') await pause(condition.ms)
    while (condition.kind === 'silent' && condition.way !== opposite[way] && !pair.isOver)
      await changed.promise
    if (condition.kind === 'refusing') return false
    if (condition.kind === 'cutting' && way === 'back') {
      pair.answered += bytes
      return pair.answered <= condition.afterBytes
    }
    return true
  }

  const pump = (pair: Pair, from: Socket, to: Socket, way: Way) => {
    from.on('data', async (piece: Buffer) => {
      // Paused until this piece has passed, so that pieces keep their order and do not pile up.
      from.pause()
      if (!(await admit(pair, way, piece.byteLength))) return pair.reset()
      if (pair.isOver) return
      if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {})
      count(way, piece.byteLength)
      from.resume()
    })
    from.on('end', () => to.end())
    from.on('error', () => pair.reset())
    from.on('close', () => {
      if (!from.readableEnded) pair.reset()
    })
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    if (condition.kind === 'refusing') {
      client.on('error', () => {})
      reset(client)
      return
    }
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const pair: Pair = {
      answered: 0,
      isOver: false,
      reset() {
        pair.isOver = true
        pairs.delete(pair)
        for (const socket of [client, target]) reset(socket)
      },
    }
    pairs.add(pair)
    pump(pair, client, target, 'there')
    pump(pair, target, client, 'back')
    const leave = () => {
      if (client.destroyed && target.destroyed) pairs.delete(pair)
    }
    client.once('close', leave)
    target.once('close', leave)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = () => {
    for (const pair of pairs) pair.reset()
  }
  return {
    port: (server.address() as { port: number }).port,
    setCondition(next) {
      condition = next
      for (const pair of pairs) pair.answered = 0
      if (next.kind === 'refusing') cut()
      changed.resolve()
      changed = Promise.withResolvers()
    },
    cut,
    passed(way, bytes) {
      if (bytes <= 0) return Promise.resolve()
      return new Promise(resolve => waiters.add({ way, left: bytes, resolve }))
    },
    async close() {
      cut()
      changed.resolve()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Pair {
  /** Bytes of answers since the condition changed. */
  answered: number
  isOver: boolean
  reset(): void
}

interface Waiter {
  readonly way: Way
  left: number
  readonly resolve: () => void
}

const opposite = { there: 'back', back: 'there' } as const

/** The system refuses a reset while the end is still being sent, which would leave the socket open. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
