/** The script of `helm test` against the real services, with a store on its own address. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { RunningStack } from '@lapwing/local/start-stack'
import { copyPage } from './testing/page-copy.ts'
import { startPartOfStack } from './testing/part-of-stack.ts'

const rootDir = join(import.meta.dirname, '../..')
const files = join(rootDir, 'charts/lapwing/files')
let dataDir = ''
let running: RunningStack

before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lapwing-release-'))
  const page = process.env.TEST_PAGE_DIR || join(dataDir, 'page')
  if (!process.env.TEST_PAGE_DIR) await copyPage(page)
  running = await startPartOfStack({
    reach: 'everything',
    rootDir,
    dataDir,
    publicPort: 0,
    publicHost: '127.0.0.1',
    env: { ...process.env, LOG_LEVEL: 'warn' },
    overrides: { gateway: { FRONTEND_DIR: page } },
    say: () => {},
  })
})
after(async () => {
  await running?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('uploads a lap to the board of a sound release and removes it again, any number of times', async () => {
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await runReleaseTest({})
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.deepEqual(stdout.trim().split('\n'), [
      'ok  serves the page',
      'ok  reads a telemetry file',
      'ok  creates an account',
      'ok  refuses a file of another size than its form allows',
      'ok  accepts the file in the object store',
      'ok  judges the lap',
      'ok  shows the lap on the board',
      'ok  removes the lap from the board',
      'ok  deletes the account',
      'passed',
    ])
  }
})

test('names the step that fails if the object store is away, and deletes its account', async () => {
  const { code, stdout, stderr } = await runReleaseTest({ STORE: 'http://127.0.0.1:9' })
  assert.equal(code, 1)
  assert.match(stdout, /ok {2}creates an account\n$/)
  // A second line would say that the account remains.
  assert.match(
    stderr,
    /^failed: refuses a file of another size than its form allows: http:\/\/127\.0\.0\.1:9 cannot be reached from a pod: .+\n$/,
  )
})

async function runReleaseTest(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(files, 'release-test.mjs')], {
    env: {
      GATEWAY: running.url,
      PUBLIC_ORIGIN: running.url,
      PUBLIC_TOKEN: 'public-token-live-lapwing',
      STORE: 'public',
      FILE: join(files, 'release-test.ibt.br'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}
