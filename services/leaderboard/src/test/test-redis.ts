import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningValkey, startValkey } from '@lapwing/dev-servers/valkey'

export interface TestRedis {
  readonly url: URL
  stop(): Promise<void>
}

/** Returns the Valkey of the test run, or starts one for this file. */
export async function testRedis(): Promise<TestRedis> {
  const shared = process.env.TEST_REDIS_URL
  if (shared !== undefined && shared !== '') return { url: new URL(shared), stop: async () => {} }
  const { server, stop } = await ownRedis()
  return { url: new URL(server.url), stop }
}

/** Starts a Valkey that this file can kill, pause and empty. With `port` it replaces an earlier one. */
export async function ownRedis(port?: number): Promise<{ server: RunningValkey; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-leaderboard-redis-'))
  const server = await startValkey({
    dir,
    toolsDir,
    throwaway: true,
    ...(port === undefined ? {} : { port }),
  })
  return {
    server,
    async stop() {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const toolsDir = join(import.meta.dirname, '../../../../.tools')
