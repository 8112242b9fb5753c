import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { type BucketAddress, createObjectStore, type ObjectStore, prepareBucket } from '../index.ts'

export interface TestBucket {
  readonly address: BucketAddress
  readonly store: ObjectStore
  /** Closes its connections, and stops the server if it was started for this bucket alone. */
  drop(): Promise<void>
}

/**
 * Creates an empty bucket on a real store. Uses the store of `TEST_S3_ENDPOINT` if the test run started one,
 * else starts one for this file.
 */
export async function testBucket({
  origins = [],
}: {
  readonly origins?: readonly string[]
} = {}): Promise<TestBucket> {
  const { stop, ...server } = await testServer()
  const address = { ...server, bucket: `test-${randomBytes(8).toString('hex')}` }
  try {
    await prepareBucket(address, { origins })
  } catch (error) {
    await stop()
    throw error
  }
  const store = createObjectStore(address)
  return {
    address,
    store,
    async drop() {
      store.close()
      await stop()
    },
  }
}

type Server = Omit<BucketAddress, 'bucket'> & { readonly stop: () => Promise<void> }

async function testServer(): Promise<Server> {
  const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env
  if (TEST_S3_ENDPOINT) {
    return {
      endpoint: TEST_S3_ENDPOINT,
      region: 'us-east-1',
      accessKeyId: TEST_S3_ACCESS_KEY_ID!,
      secretAccessKey: TEST_S3_SECRET_ACCESS_KEY!,
      stop: async () => {},
    }
  }
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-object-store-'))
  const keys = { accessKeyId: 'test', secretAccessKey: randomBytes(18).toString('base64url') }
  const toolsDir = join(import.meta.dirname, '../../../../.tools')
  const server = await startObjectStore({ dir, toolsDir, ...keys })
  return {
    endpoint: server.url,
    region: server.region,
    ...keys,
    async stop() {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
