import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface OpenConnection {
  readonly socket: Socket
  /** What has come back, as text. */
  readonly text: () => string
  readonly isClosed: () => boolean
}

export interface ConnectOptions {
  /** An address of this machine, 127.0.0.1 by default: the gateway sees another client. */
  readonly from?: string
  /** Whether the client leaves unread what comes. */
  readonly readsNothing?: boolean
}

/** Opens a connection, and writes these bytes to it. It is closed with the test. */
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
