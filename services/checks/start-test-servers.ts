import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { startValkey } from '@lapwing/dev-servers/valkey'

export interface TestServers {
  /** A folder for what else the run needs, gone with the servers. */
  readonly dir: string
  /** What a test file is told beside the environment: where the shared servers are. */
  readonly env: Readonly<Record<'TEST_DATABASE_URL' | 'TEST_REDIS_URL', string>>
  /** The same of the object store, once it runs: the first time ever it is built, which takes minutes. */
  readonly objectStore: Promise<Readonly<Record<string, string>>>
  stop(): Promise<void>
}

/**
 * One Postgres, one Valkey and one object store for a whole run of tests. Each test file makes a database
 * and a bucket of its own and uses keys of its own; a test that kills a server starts another for itself.
 */
export async function startTestServers({
  toolsDir,
  withObjectStore,
}: {
  readonly toolsDir: string
  readonly withObjectStore: boolean
}): Promise<TestServers> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-test-servers-'))
  const started: { stop(): Promise<void> }[] = []
  const stopping = new AbortController()
  const objectStore = withObjectStore ? startStore() : Promise.resolve({})
  // Whoever needs it will see why there is none; the others do without.
  objectStore.catch(() => {})
  async function startStore() {
    const keys = { accessKeyId: 'test', secretAccessKey: randomBytes(18).toString('base64url') }
    const store = await startObjectStore({
      dir: join(dir, 'object-store'),
      toolsDir,
      ...keys,
      signal: stopping.signal,
    })
    started.push(store)
    return {
      TEST_S3_ENDPOINT: store.url,
      TEST_S3_ACCESS_KEY_ID: keys.accessKeyId,
      TEST_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    }
  }
  const stop = async () => {
    stopping.abort()
    await objectStore.catch(() => {})
    await Promise.all(started.map(server => server.stop()))
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const postgres = await startPostgres({ dir: join(dir, 'postgres'), throwaway: true })
    started.push(postgres)
    const valkey = await startValkey({ dir: join(dir, 'valkey'), toolsDir, throwaway: true })
    started.push(valkey)
    return {
      dir,
      env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: valkey.url },
      objectStore,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
