import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePorts } from '@lapwing/dev-servers/free-port'
import { runNode } from '@lapwing/testing/run-node.ts'

// What a run does that starts is tested in services/e2e/make-commands.test.ts.

test('reports a port in use in one sentence, before it starts anything', async t => {
  const [port] = await freePorts(1)
  const server = createServer().listen(port, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const dataDir = temporary(t)
  const { code, out } = await run({ PORT: String(port), DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.match(
    out,
    new RegExp(`^Port ${port} is taken by another program\\. .* make run PORT=${port! + 1}\\n$`),
  )
  assert.deepEqual(readdirSync(dataDir), [])
})

test('names the variable of a port that is not a number', async t => {
  const { code, out } = await run({ PORT: 'eighty', DATA_DIR: temporary(t) })
  assert.equal(code, 1)
  assert.match(out, /PORT must be a whole number from 0 to 65535/)
})

test('names the variable of an invalid address, without repeating its value', async t => {
  const { code, out } = await run({
    PORT: '0',
    DATA_DIR: temporary(t),
    DATABASE_URL: 'my-secret-database',
  })
  assert.equal(code, 1)
  assert.match(out, /DATABASE_URL must be an address that begins with postgres:\/\//)
  assert.doesNotMatch(out, /my-secret/)
})

function run(env: Readonly<Record<string, string>>) {
  return runNode([join(import.meta.dirname, 'run.ts')], { ...process.env, ...env })
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-run-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
