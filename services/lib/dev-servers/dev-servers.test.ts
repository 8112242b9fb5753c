import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from './start-postgres.ts'
import { startValkey } from './start-valkey.ts'

const tools = join(import.meta.dirname, '../../../.tools')

for (const [name, start] of [
  ['Postgres', (dir: string) => startPostgres({ dir, throwaway: true })],
  ['Valkey', (dir: string) => startValkey({ dir, toolsDir: tools, throwaway: true })],
] as const) {
  test(`${name} answers on its port, starts a second time on the same data and frees the port when stopped`, async t => {
    const dir = mkdtempSync(join(tmpdir(), 'lapwing-servers-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
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

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
