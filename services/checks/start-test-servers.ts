import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { startValkey } from '@lapwing/dev-servers/valkey'

export interface TestServers {
  /** A folder for other files of the run. `stop` removes it. */
  readonly dir: string
  /** Variables that name the shared servers to test files. */
  readonly env: Readonly<Record<'TEST_DATABASE_URL' | 'TEST_REDIS_URL', string>>
  /** Variables of the object store, once it runs. Its very first start builds it, which takes minutes. */
  readonly objectStore: Promise<Readonly<Record<string, string>>>
  stop(): Promise<void>
}

/**
 * Starts one Postgres, one Valkey and one object store for a whole run of tests. Each test file creates its
 * own database and bucket and uses its own keys. A test that kills a server starts another one for itself.
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
  // A caller that needs the store awaits it and gets the error. Others must not fail for it.
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
