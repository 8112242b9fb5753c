import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * Returns a port of the loopback address for a server that starts later. No other caller in any process gets
 * it while this process lives.
 *
 * @param wanted returned if it is free
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await claim(wanted)) && (await isFree(wanted))) return wanted
  let port = LOWEST + randomInt(COUNT)
  for (let tries = 0; tries < COUNT; tries++, port = port + 1 < LOWEST + COUNT ? port + 1 : LOWEST) {
    if ((await claim(port)) && (await isFree(port))) return port
  }
  throw new Error('No port of this machine is free.')
}

/** Returns `count` such ports, all different. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}

/** Below the ports that systems use for outgoing connections, which would collide. */
const LOWEST = 20_000
const COUNT = 12_700

/**
 * Claims a port: the process that holds the UDP port of a number may listen on the TCP one. The system frees
 * it when the process ends.
 */
function claim(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const claimed = createSocket('udp4')
    claimed.once('error', () => resolve(false))
    claimed.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      claimed.unref()
      resolve(true)
    })
  })
}

/** Returns whether no other server listens on the port. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
