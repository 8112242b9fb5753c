import { connect, createServer, type Socket } from 'node:net'

/**
 * Stands between the browser and the gateway and keeps every byte the browser sends, whatever sends
 * it: page, worker or the browser itself.
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
      // One side going away ends the other; neither is an error of the test.
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
  /** All bytes that came from the browser so far. */
  readonly sent: () => Buffer
  readonly close: () => Promise<void>
}
