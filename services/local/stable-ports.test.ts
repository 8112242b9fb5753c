import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

function aFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-ports-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'ports.json')
}

/** Starts in a process of its own, because a process reserves its ports until it ends. */
function start(file: string, ...names: string[]): Record<string, number> {
  const module = JSON.stringify(new URL('./stable-ports.ts', import.meta.url).href)
  const code = `import { stablePorts } from ${module}
    console.log(JSON.stringify(await stablePorts(${JSON.stringify(file)}, ${JSON.stringify(names)})))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
  ) as Record<string, number>
}

test('keeps a part’s port from its last start, even if another part did not start in between', t => {
  const file = aFile(t)
  const first = start(file, 'store', 'mailbox')
  assert.notEqual(first.store, first.mailbox)
  assert.deepEqual(start(file, 'mailbox'), { mailbox: first.mailbox })
  assert.deepEqual(start(file, 'store', 'mailbox'), first)
})

test('replaces a port that another program uses now', async t => {
  const file = aFile(t)
  const { store } = start(file, 'store')
  const other = createServer()
  t.after(() => other.close())
  await new Promise<void>((resolve, reject) => {
    other.once('error', reject)
    other.listen(store, '127.0.0.1', resolve)
  })
  assert.notEqual(start(file, 'store').store, store)
})

for (const content of ['', '{"store":', '[]', '{"store":"7070"}', '{"store":70000}', 'null']) {
  test(`"${content}" counts as no file`, t => {
    const file = aFile(t)
    writeFileSync(file, content)
    const { store } = start(file, 'store')
    assert.ok(Number.isInteger(store) && store! > 1024)
    assert.equal(start(file, 'store').store, store)
  })
}
