import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface ReadingLimits {
  /** Milliseconds for which a client may leave its answer unread. */
  readonly unreadMs: number
  /** Bytes a second; a client that reads more slowly than this uses its `unreadMs` up. */
  readonly bytesPerS: number
}

const EVERY_MS = 1_000

/**
 * Cuts connections whose client does not read its answer, or reads it a few bytes at a time, so that the
 * answer gives its slot, its memory and its connection back. Time in which a service is slow does not count.
 */
export function cutSlowReaders(server: Server, { unreadMs, bytesPerS }: ReadingLimits): void {
  const connections = new Map<Socket, Reading>()
  const everyMs = Math.min(EVERY_MS, unreadMs)

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { leftMs: unreadMs, bytes: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, reading] of connections) look(socket, reading)
  }, everyMs).unref()
  server.once('close', () => clearInterval(timer))

  function look(socket: Socket, reading: Reading): void {
    const bytes = socket.bytesWritten - socket.writableLength
    const earnedMs = ((bytes - reading.bytes) / bytesPerS) * 1000
    reading.bytes = bytes
    if (socket.writableLength === 0) {
      reading.leftMs = unreadMs
      return
    }
    reading.leftMs = Math.min(unreadMs, reading.leftMs + earnedMs) - everyMs
    if (reading.leftMs < 0) socket.destroy()
  }
}

interface Reading {
  leftMs: number
  /** What the connection has carried, as far as the kernel has taken it. */
  bytes: number
}
