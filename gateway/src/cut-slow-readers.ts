import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface ReadingLimits {
  /** Milliseconds for which a client may leave its answer unread. */
  readonly unreadMs: number
  /** Bytes a second; a client that reads more slowly than this uses its `unreadMs` up. */
  readonly bytesPerS: number
}

const CHECK_INTERVAL_MS = 1_000

/**
 * Cuts connections whose client does not read its answer, or reads it a few bytes at a time. This frees the
 * slot, the memory and the connection of the answer. Time in which a service is slow does not count.
 */
export function cutSlowReaders(server: Server, { unreadMs, bytesPerS }: ReadingLimits): void {
  const connections = new Map<Socket, Reading>()
  const intervalMs = Math.min(CHECK_INTERVAL_MS, unreadMs)

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { leftMs: unreadMs, bytes: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, reading] of connections) check(socket, reading)
  }, intervalMs).unref()
  server.once('close', () => clearInterval(timer))

  function check(socket: Socket, reading: Reading): void {
    const bytes = socket.bytesWritten - socket.writableLength
    const earnedMs = ((bytes - reading.bytes) / bytesPerS) * 1000
    reading.bytes = bytes
    if (socket.writableLength === 0) {
      reading.leftMs = unreadMs
      return
    }
    reading.leftMs = Math.min(unreadMs, reading.leftMs + earnedMs) - intervalMs
    if (reading.leftMs < 0) socket.destroy()
  }
}

interface Reading {
  leftMs: number
  /** Bytes of the connection that the kernel has accepted. */
  bytes: number
}
