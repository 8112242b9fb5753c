import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { dropFiles } from './give-file.ts'
import { type Lapwing, lapwing } from './harness.ts'
import { type RecordingProxy, recordingProxy } from './recording-proxy.ts'
import { openFirstVisit, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const inBrowser = lapwing({ reach: 'page' })
const onServer = lapwing({ reach: 'preview', env: { gateway: { PAGE_PREVIEW: 'server' } } })
const file = { name: 'my-secret-session.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }

test('sends no byte of a file that is read in the browser', async t => {
  const sent = (await readThroughProxy(t, inBrowser)).toString('latin1')
  assert.deepEqual(new Set(sent.match(/^[A-Z]+ (?=\/\S* HTTP\/1\.1\r$)/gm)), new Set(['GET ']))
  assert.equal(slicesFound(sent), 0)
  assert.equal(sent.includes('my-secret-session'), false)
})

test('detects on the wire a file that is sent once because the operator wants the server to read it', async t => {
  const sent = (await readThroughProxy(t, onServer)).toString('latin1')
  assert.equal(sent.match(/^POST \/api\/v1\/preview HTTP\/1\.1\r$/gm)?.length, 1)
  assert.equal(slicesFound(sent), slices.length)
})

/** Pieces from all over the file that are not just zeros. */
const slices = Array.from({ length: 64 }, (_, i) => {
  const at = Math.floor(((i + 0.5) * file.bytes.length) / 64)
  return Buffer.from(file.bytes.subarray(at, at + 24)).toString('latin1')
}).filter(slice => new Set(slice).size > 6)

function slicesFound(sent: string): number {
  return slices.filter(slice => sent.includes(slice)).length
}

/** Returns everything that the browser sends while a file is read and viewed. */
async function readThroughProxy(t: TestContext, { url, visit }: Lapwing): Promise<Buffer> {
  const proxy: RecordingProxy = await recordingProxy(url())
  t.after(() => proxy.close())
  const hosts = new Set<string>()
  const look = async (page: Page) => {
    page.context().on('request', request => hosts.add(new URL(request.url()).host))
    await openFirstVisit(page)
    await dropFiles(page, file)
    assert.deepEqual(await shownLaps(page), ['Lap 2 0:20.200', 'Lap 3 0:20.900', 'Lap 1 0:21.400'])
    await page.waitForLoadState('networkidle')
  }
  await visit(look, { baseURL: proxy.url })(t)
  hosts.delete('')
  assert.deepEqual([...hosts], [new URL(proxy.url).host])
  assert.ok(slices.length > 40, 'too little of the file is looked for')
  return proxy.sent()
}
