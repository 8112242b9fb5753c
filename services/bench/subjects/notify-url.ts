import type { Server } from 'node:http'

/** Sends the server's URL to the parent. Ends this process when the parent closes the channel. */
export function notifyUrl(server: Server, close: () => unknown): void {
  process.once('disconnect', async () => {
    await close()
    process.exit(0)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  process.send!(`http://127.0.0.1:${address.port}`)
}
