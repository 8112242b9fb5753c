import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StoreProxy {
  readonly endpoint: string
  /** Called with the first line of each request, which is sent on when it resolves, cut when it rejects. */
  onRequest: (line: string) => Promise<void>
  /** The same for each piece of an answer, with the bytes of the answer that were sent before. */
  onAnswer: (line: string, bytesBefore: number) => Promise<void>
  close(): Promise<void>
}

/** Starts a proxy before the object store that can delay or cut connections at a certain moment. */
export async function startStoreProxy(endpoint: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(endpoint)
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const store = connect(Number(port), hostname)
    const both = [client, store]
    const cut = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => sockets.delete(socket))
    }
    let line = ''
    let answered = 0
    pass(
      client,
      store,
      async chunk => {
        const found = /^(?:GET|PUT|POST|HEAD|DELETE) [^\r]*/.exec(chunk.toString('latin1', 0, 2_000))
        if (found === null) return
        line = found[0]
        answered = 0
        await proxy.onRequest(line)
      },
      cut,
    )
    pass(
      store,
      client,
      async chunk => {
        await proxy.onAnswer(line, answered)
        answered += chunk.byteLength
      },
      cut,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: StoreProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onRequest: async () => {},
    onAnswer: async () => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Passes pieces on in order: each waits for the one before. */
function pass(from: Socket, to: Socket, before: (chunk: Buffer) => Promise<void>, cut: () => void): void {
  let last = Promise.resolve()
  from.on('data', chunk => {
    last = last
      .then(() => before(chunk))
      .then(() => {
        to.write(chunk)
      })
    last.catch(cut)
  })
  // All pieces are passed on before the end.
  from.on('close', () => {
    last.then(() => to.end()).catch(cut)
  })
}
