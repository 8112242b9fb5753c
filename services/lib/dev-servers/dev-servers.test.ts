import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createObjectStore } from '@lapwing/object-store'
import { accepts } from './accepts.ts'
import { startObjectStore } from './start-object-store.ts'
import { startPostgres } from './start-postgres.ts'
import { startValkey } from './start-valkey.ts'

const toolsDir = join(import.meta.dirname, '../../../.tools')
const storeOptions = { toolsDir, accessKeyId: 'test', secretAccessKey: 'a secret', bucket: 'kept' }

for (const [name, start] of [
  ['Postgres', (dir: string) => startPostgres({ dir, throwaway: true })],
  ['Valkey', (dir: string) => startValkey({ dir, toolsDir, throwaway: true })],
  ['the object store', (dir: string) => startObjectStore({ dir, ...storeOptions })],
] as const) {
  test(`answers on its port, starts again on the same data and frees the port when stopped: ${name}`, async t => {
    const dir = temporary(t)
    const first = await start(dir)
    assert.equal(await accepts(first.port), true)
    await first.stop()
    assert.equal(await accepts(first.port), false)
    const second = await start(dir)
    assert.equal(await accepts(second.port), true)
    await second.kill()
    assert.equal(await accepts(second.port), false)
  })
}

for (const isBeside of [false, true]) {
  test(`restores an object after a crash of the store, with its facts ${isBeside ? 'beside' : 'in'} its file`, async t => {
    const dir = temporary(t)
    // Like a file system that cannot store the facts in the file; once beside, always beside.
    if (isBeside) mkdirSync(join(dir, 'facts'))
    const first = await startObjectStore({ dir, ...storeOptions })
    t.after(() => first.kill())
    const address = { ...storeOptions, endpoint: first.url, region: first.region }
    const store = createObjectStore(address)
    const { etag } = await store.put('a/b', Buffer.from('kept'), { contentType: 'text/plain' })
    store.close()
    await first.kill()
    const second = await startObjectStore({ dir, ...storeOptions, port: first.port })
    t.after(() => second.kill())
    const again = createObjectStore(address)
    t.after(() => again.close())
    const { size, etag: found } = await again.head('a/b')
    assert.deepEqual([size, found], [4, etag])
    if (isBeside) assert.ok(existsSync(join(dir, 'facts/kept')), 'no facts were stored beside the file')
  })
}

function temporary(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-servers-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
