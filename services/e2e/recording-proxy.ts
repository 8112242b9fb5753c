import { connect, createServer, type Socket } from 'node:net'

/**
 * Runs between the browser and the gateway and records every byte that the browser sends: from the page, a
 * worker or the browser itself.
 */
export async function recordingProxy(targetUrl: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(targetUrl)
  const sent: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // If one side closes, the other closes too; neither is an error of the test.
      socket.on('error', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', bytes => sent.push(Buffer.from(bytes)))
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as { port: number }).port}`,
    sent: () => Buffer.concat(sent),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export interface RecordingProxy {
  readonly url: string
  /** All bytes from the browser so far. */
  readonly sent: () => Buffer
  readonly close: () => Promise<void>
}
