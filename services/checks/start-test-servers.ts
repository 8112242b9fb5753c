import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { startValkey } from '@lapwing/dev-servers/valkey'

export interface TestServers {
  /** What a test file is told beside the environment: where the shared servers are. */
  readonly env: Readonly<Record<'TEST_DATABASE_URL' | 'TEST_REDIS_URL', string>>
  stop(): Promise<void>
}

/**
 * One Postgres and one Valkey for a whole run of tests. Each test file makes a database of its own in
 * the one and uses keys of its own in the other; a test that kills a server starts another for itself.
 */
export async function startTestServers({ toolsDir }: { readonly toolsDir: string }): Promise<TestServers> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-test-servers-'))
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(started.map(server => server.stop()))
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const postgres = await startPostgres({ dir: join(dir, 'postgres'), throwaway: true })
    started.push(postgres)
    const valkey = await startValkey({ dir: join(dir, 'valkey'), toolsDir, throwaway: true })
    started.push(valkey)
    return { env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: valkey.url }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
