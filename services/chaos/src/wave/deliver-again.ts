import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'
import pg from 'pg'
import type { World } from '../world/world.ts'

/**
 * Adds a second job for every unfinished ingest, like a sender that lost its connection and does not know
 * whether the first job was stored. Does nothing if Redis or Postgres is down.
 */
export async function deliverAgain({ servers }: World): Promise<void> {
  const owner = new pg.Client({ connectionString: servers.postgres.url, connectionTimeoutMillis: 2_000 })
  const queue = new Queue('judge', {
    prefix: 'ingest',
    connection: { url: servers.redis.url, maxRetriesPerRequest: 0, enableOfflineQueue: false },
    skipVersionCheck: true,
  })
  queue.on('error', () => {})
  try {
    await queue.waitUntilReady()
    await owner.connect()
    const { rows } = await owner.query<{ id: string }>(
      `select id from ingest.ingest where state not in ('done', 'failed')`,
    )
    await queue.addBulk(
      rows.map(({ id }) => ({
        name: 'judge',
        data: { ingestId: id },
        opts: { jobId: `${id}-again-${randomUUID()}`, removeOnComplete: true, removeOnFail: true },
      })),
    )
  } catch {
    // Another fault of the wave stopped Redis or Postgres.
  } finally {
    await Promise.allSettled([queue.close(), owner.end()])
  }
}
