import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port of 127.0.0.1 below those that systems give to connections, so that it is still free when
 * a part that was killed comes back to it.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if (!given.has(port) && (await isFree(port))) {
      given.add(port)
      return port
    }
  }
}

const given = new Set<number>()

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
