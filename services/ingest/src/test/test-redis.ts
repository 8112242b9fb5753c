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
  const { url, server, remove } = await ownRedis()
  return {
    url,
    async stop() {
      await server.stop()
      remove()
    },
  }
}

/** Starts a Valkey for this file, which a test can kill. */
export async function ownRedis(port?: number): Promise<{
  readonly url: URL
  readonly server: RunningValkey
  readonly remove: () => void
}> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-ingest-redis-'))
  const server = await startValkey({
    dir,
    toolsDir,
    throwaway: true,
    ...(port === undefined ? {} : { port }),
  })
  return { url: new URL(server.url), server, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

const toolsDir = join(import.meta.dirname, '../../../../.tools')
