import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createObjectStore } from '@lapwing/object-store'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Servers, startServers } from './servers.ts'

let servers: Servers
let dir: string

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lapwing-chaos-servers-'))
  servers = await startServers(dir, join(import.meta.dirname, '../../../../.tools'))
})

after(async () => {
  await servers.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: servers.postgres.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

for (const how of ['in order', 'crash'] as const) {
  test(`restarts Postgres on its port with its acknowledged data after a stop (${how})`, async () => {
    await query('create table if not exists kept (how text)')
    await query(`insert into kept values ('${how}')`)
    await servers.postgres.stop(how)
    await assert.rejects(query('select 1'))
    await servers.postgres.start()
    assert.deepEqual(await query(`select how from kept where how = '${how}'`), [{ how }])
  })
}

test('wipes Redis immediately, and restarts it on its port after a crash', async () => {
  const redis = new Redis(servers.redis.url, { retryStrategy: () => 20, maxRetriesPerRequest: 1000 })
  redis.on('error', () => {})
  try {
    await redis.set('a', '1')
    await servers.redis.wipe()
    assert.equal(await redis.get('a'), null)
    await servers.redis.stop('crash')
    await servers.redis.wipe()
    await servers.redis.start()
    assert.equal(await redis.ping(), 'PONG')
  } finally {
    redis.disconnect()
  }
})

test('restarts the store on its port with its objects', async () => {
  const { url: endpoint, region, bucket, accessKeyId, secretAccessKey } = servers.store
  const store = createObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey })
  try {
    await store.put('kept', Buffer.from('bytes'), { contentType: 'application/octet-stream' })
    await servers.store.stop('crash')
    await servers.store.start()
    assert.equal((await store.head('kept')).size, 5)
  } finally {
    store.close()
  }
})

test('does nothing when stopping a stopped server or starting a running one', async () => {
  await servers.redis.stop('crash')
  await servers.redis.stop('in order')
  await Promise.all([servers.redis.start(), servers.redis.start()])
  await servers.postgres.start()
  assert.deepEqual(await query('select 1 as up'), [{ up: 1 }])
})
