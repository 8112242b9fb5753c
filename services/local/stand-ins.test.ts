import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@lapwing/dev-servers/free-port'

for (const part of ['mailbox', 'providers']) {
  test(`runs ${part} alone; it answers and stops in good order`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'lapwing-stand-in-'))
    const port = await freePort()
    const child = spawn(process.execPath, [join(import.meta.dirname, part, 'main.ts')], {
      env: { ...process.env, PORT: String(port), SMTP_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'fatal' },
      stdio: 'ignore',
    })
    t.after(() => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    })
    const exited = once(child, 'exit')
    for (const path of ['/healthz', '/readyz', '/']) {
      assert.equal(await statusOf(`http://127.0.0.1:${port}${path}`), 200, path)
    }
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  })
}

/** Returns the status as soon as the address answers. */
async function statusOf(url: string): Promise<number> {
  for (;;) {
    try {
      return (await fetch(url)).status
    } catch {
      await delay(20)
    }
  }
}
