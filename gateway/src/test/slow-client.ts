import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface OpenConnection {
  readonly socket: Socket
  /** Returns everything received, as text. */
  readonly text: () => string
  readonly isClosed: () => boolean
}

export interface ConnectOptions {
  /** Local address of the client, 127.0.0.1 by default. The gateway counts each as another client. */
  readonly from?: string
  /** Whether the client leaves its answers unread. */
  readonly readsNothing?: boolean
}

/** Opens a connection and writes these bytes to it. It closes with the test. */
export async function openConnection(
  t: TestContext,
  port: number,
  bytes: string,
  { from = '127.0.0.1', readsNothing = false }: ConnectOptions = {},
): Promise<OpenConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  let text = ''
  let closed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  if (readsNothing) socket.pause()
  else {
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
  }
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, text: () => text, isClosed: () => closed }
}
