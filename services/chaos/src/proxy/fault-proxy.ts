import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Which way bytes go: `there` to the server behind the proxy, `back` to who called. */
export type Way = 'there' | 'back'

/**
 * What befalls the bytes on a link.
 * - `fair`: they pass.
 * - `refusing`: connections are reset, those there are and those that come.
 * - `slow`: every piece waits so many milliseconds, in order.
 * - `silent`: connections stand and nothing passes that way; what was held passes when it is over.
 * - `cutting`: a connection is reset once so many bytes of answers have passed since it began.
 */
export type Weather =
  | { readonly kind: 'fair' }
  | { readonly kind: 'refusing' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'silent'; readonly way: Way | 'both' }
  | { readonly kind: 'cutting'; readonly afterBytes: number }

export interface FaultProxy {
  /** On 127.0.0.1. */
  readonly port: number
  setWeather(weather: Weather): void
  /** Resets every connection there is. */
  cut(): void
  /** Resolves when that many more bytes have passed that way; at once for 0 or less, never where they do not come. */
  passed(way: Way, bytes: number): Promise<void>
  close(): Promise<void>
}

/** A TCP proxy before `targetPort` of 127.0.0.1, through which a link between two processes can be spoiled. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let weather: Weather = { kind: 'fair' }
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

  /** Waits until a piece may go on; false where its connection is to end instead. */
  const admit = async (pair: Pair, way: Way, bytes: number): Promise<boolean> => {
    if (weather.kind === 'slow') await pause(weather.ms)
    while (weather.kind === 'silent' && weather.way !== opposite[way] && !pair.isOver) await changed.promise
    if (weather.kind === 'refusing') return false
    if (weather.kind === 'cutting' && way === 'back') {
      pair.answered += bytes
      return pair.answered <= weather.afterBytes
    }
    return true
  }

  const pump = (pair: Pair, from: Socket, to: Socket, way: Way) => {
    from.on('data', async (piece: Buffer) => {
      // Paused until this piece is through, so that pieces keep their order and none piles up.
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
    if (weather.kind === 'refusing') {
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
    setWeather(next) {
      weather = next
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
  /** Bytes of answers since the weather changed. */
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

/** A reset while the end is still being sent is refused by the system, and would leave the socket open. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
