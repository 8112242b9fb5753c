import { connect, createServer } from 'node:net'

/** Returns a sentence why `http://localhost:<port>` would not reach us if we listened; null if it would. */
export async function portProblem(port: number, host: string): Promise<string | null> {
  // Both addresses of "localhost": a server on ::1 alone would get the browser's requests instead of us.
  const taken = await Promise.all(['127.0.0.1', '::1'].map(address => isPortAnswering(port, address)))
  const code = taken.includes(true) ? 'EADDRINUSE' : await listenError(port, host)
  if (code === null) return null
  if (code === 'EACCES')
    return `Port ${port} needs rights you do not have. Choose one from 1024 on: make run PORT=8080`
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or choose another port: make run PORT=${port + 1}`
  }
  return `Lapwing cannot listen on port ${port} of ${host} (${code}).`
}

function isPortAnswering(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host, timeout: 1000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

function listenError(port: number, host: string): Promise<string | null> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}
