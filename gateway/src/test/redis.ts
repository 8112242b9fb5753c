import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { type RunningValkey, startValkey } from '@lapwing/dev-servers/valkey'
import { createLogger } from '@lapwing/http'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import { until } from '@lapwing/testing/until.ts'

export interface TestRedis {
  readonly url: URL
  /** Starts the server, the first time or after a `kill`. */
  readonly start: () => Promise<RunningValkey>
  /** Opens another connection and waits until it is up. */
  readonly connect: () => Promise<SharedRedis>
}

/** Prepares a real Valkey on one port, which a test can kill and start again. It stops with the test. */
export async function testRedis(t: TestContext): Promise<TestRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-gateway-redis-'))
  const port = await freePort()
  const url = new URL(`redis://127.0.0.1:${port}`)
  const servers: RunningValkey[] = []
  t.after(async () => {
    for (const server of servers) await server.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    url,
    async start() {
      const server = await startValkey({ dir, port, throwaway: true, toolsDir })
      servers.push(server)
      return server
    },
    async connect() {
      const redis = openRedis(url, createLogger('test', 'silent'))
      t.after(() => redis.close())
      await until(redis.isUp)
      return redis
    },
  }
}

const toolsDir = join(import.meta.dirname, '../../../.tools')
