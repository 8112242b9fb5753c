import type { Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import { limitKey } from './client-address.ts'

export interface ConnectionBounds {
  /** Whether the peer is a trusted proxy, whose connections carry the requests of many clients. */
  readonly isTrusted: (address: string) => boolean
  /** Connections of all clients; the server itself refuses more. */
  readonly most: number
  readonly mostPerClient: number
  /** Milliseconds until an idle connection of a client closes. */
  readonly idleMs: number
}

/** Share of `most` above which a new connection closes the oldest idle one. */
const NEARLY_FULL = 0.95
/** How long a trusted proxy may leave a connection idle. */
const TRUSTED_KEEP_ALIVE_MS = 75_000

/**
 * Prevents one network from holding all connections. Beyond `mostPerClient` a new connection closes the
 * oldest idle one of its network, and is refused if none is idle. If the server is nearly full, the oldest
 * idle connection of all networks closes. A connection with a request in progress is never closed.
 */
export function boundConnections(
  server: Server,
  { isTrusted, most, mostPerClient, idleMs }: ConnectionBounds,
): void {
  // Announces a tenth less than it waits, so that a client never sends into a connection that closes.
  server.keepAliveTimeoutBuffer = idleMs / 10
  server.keepAliveTimeout = idleMs - server.keepAliveTimeoutBuffer
  const connections = new Map<Socket, Connection>()
  const clients = new Map<string, Client>()
  /** Oldest first. */
  const idle = new Set<Socket>()
  let open = 0

  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (open > most * NEARLY_FULL) closeOldest(idle)
    const address = socket.remoteAddress ?? ''
    if (isTrusted(address)) {
      connections.set(socket, { client: null, underWay: 0 })
      socket.once('close', () => connections.delete(socket))
      return
    }
    add(socket, isIP(address) === 0 ? address : limitKey(normalizeIP(address, 128)))
  })

  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    const { client } = connection
    if (client === null) {
      // By then Node has set the idle time-out of clients on this connection too.
      response.once('finish', () => socket.setTimeout(TRUSTED_KEEP_ALIVE_MS))
      return
    }
    connection.underWay += 1
    // Ends the idle time-out of `add`. Node sets and ends its own.
    socket.setTimeout(server.timeout)
    idle.delete(socket)
    client.idle.delete(socket)
    response.once('close', () => {
      connection.underWay -= 1
      if (connection.underWay > 0 || socket.destroyed) return
      idle.add(socket)
      client.idle.add(socket)
    })
  })

  function add(socket: Socket, key: string): void {
    const client = clients.get(key) ?? { open: 0, idle: new Set() }
    if (client.open >= mostPerClient && !closeOldest(client.idle)) {
      socket.destroy()
      return
    }
    clients.set(key, client)
    client.open += 1
    connections.set(socket, { client, underWay: 0 })
    client.idle.add(socket)
    idle.add(socket)
    // Node closes idle connections only after a first answer.
    socket.setTimeout(idleMs)
    socket.once('close', () => {
      connections.delete(socket)
      client.idle.delete(socket)
      idle.delete(socket)
      client.open -= 1
      if (client.open === 0 && clients.get(key) === client) clients.delete(key)
    })
  }

  /** Returns false if none is idle. */
  function closeOldest(among: Set<Socket>): boolean {
    const [oldest] = among
    if (oldest === undefined) return false
    // Not in `close`, which comes later: the next connection must not choose the same one.
    among.delete(oldest)
    idle.delete(oldest)
    connections.get(oldest)?.client?.idle.delete(oldest)
    oldest.destroy()
    return true
  }
}

interface Connection {
  /** Null for a trusted proxy. */
  readonly client: Client | null
  /** Requests whose answers have not ended. */
  underWay: number
}

interface Client {
  open: number
  /** Oldest first. */
  readonly idle: Set<Socket>
}
