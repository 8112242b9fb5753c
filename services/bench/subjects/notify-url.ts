import type { Server } from 'node:http'

/** Tells the parent where a server listens, and ends this process when the parent lets go of it. */
export function notifyUrl(server: Server, close: () => unknown): void {
  process.once('disconnect', async () => {
    await close()
    process.exit(0)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  process.send!(`http://127.0.0.1:${address.port}`)
}
