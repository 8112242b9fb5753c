import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startFakeStore } from './fake-store.ts'
import { copyPage } from './testing/page-copy.ts'
import { type SharedStacks, shareStacks } from './testing/shared-stacks.ts'

const dir = mkdtempSync(join(tmpdir(), 'lapwing-stacks-'))
let stacks: SharedStacks

before(async () => {
  const page = process.env.TEST_PAGE_DIR || join(dir, 'page')
  if (!process.env.TEST_PAGE_DIR) await copyPage(page)
  stacks = await shareStacks({ rootDir: join(import.meta.dirname, '../..'), dir, page, say: () => {} })
})
after(async () => {
  await stacks?.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('starts one stack for all files that ask for it', async () => {
  const ask = async () => (await (await fetch(`${stacks.url}/page`)).json()) as { url: string }
  const [one, other] = await Promise.all([ask(), ask()])
  assert.deepEqual(one, other)
  assert.equal((await fetch(one.url)).status, 200)
})

test('shares no stack with everything in it', async () => {
  assert.equal((await fetch(`${stacks.url}/everything`)).status, 404)
})

test('forwards a post to the store of a file, and breaks it if the store does', async t => {
  const store = await startFakeStore()
  t.after(() => store.close())
  const address = `${stacks.url}/store/${new URL(store.url).port}`
  const body = new FormData()
  body.set('file', new Blob(['lap']), 'ring.ibt')
  assert.equal((await fetch(address, { method: 'POST', body })).status, 204)
  assert.equal(store.posts[0]?.fileName, 'ring.ibt')
  store.answerNext('cut', 403)
  await assert.rejects(fetch(address, { method: 'POST', body }))
  assert.equal((await fetch(address, { method: 'POST', body })).status, 403)
})
