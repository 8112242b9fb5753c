import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * A port of the loopback address for a server that is started later, and that no other caller is given for as
 * long as this process lives, in whatever process it is.
 *
 * @param wanted is given where it is free
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await claim(wanted)) && (await isFree(wanted))) return wanted
  let port = LOWEST + randomInt(COUNT)
  for (let tries = 0; tries < COUNT; tries++, port = port + 1 < LOWEST + COUNT ? port + 1 : LOWEST) {
    if ((await claim(port)) && (await isFree(port))) return port
  }
  throw new Error('No port of this machine is free.')
}

/** Such ports, all different. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}

/** Below those from which systems take the ports of connections, which would get in the way unasked. */
const LOWEST = 20_000
const COUNT = 12_700

/** Whoever holds the UDP port of a number may listen on the TCP one. The system gives it back with the process. */
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

/** Whether no server listens there that was never given the port by us. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
