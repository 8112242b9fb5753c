import { createServer, type Server } from 'node:net'

/** Ports of 127.0.0.1 that nobody listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  // All are held open until the last is known, since the system may hand out a closed one again.
  const servers = await Promise.all(Array.from({ length: count }, () => listen()))
  const ports = servers.map(server => (server.address() as { port: number }).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
