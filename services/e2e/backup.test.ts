/** `make backup` beside a running Lapwing, and `make restore` into another folder: nothing that a driver has is lost. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { acquireRunLock } from '@lapwing/local/run-lock'
import { stack } from '@lapwing/local/stack'
import { type RunningStack, startStack } from '@lapwing/local/start-stack'
import { runNode } from '@lapwing/testing/run-node.ts'
import { until } from '@lapwing/testing/until.ts'
import { anIbt } from './testing/an-ibt.ts'
import { mailTo } from './testing/mails.ts'
import { copyPage } from './testing/page-copy.ts'

const rootDir = join(import.meta.dirname, '../..')
const publicToken = 'public-token-live-lapwing'
let dir = ''
let page = ''

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lapwing-backup-'))
  page = process.env.TEST_PAGE_DIR || join(dir, 'page')
  if (!process.env.TEST_PAGE_DIR) await copyPage(page)
})
after(() => rmSync(dir, { recursive: true, force: true }))

test('brings boards, sessions and waiting files into an empty Lapwing, and sends no mail again', async t => {
  const old = join(dir, 'old')
  const first = await start(old)
  t.after(() => first.stop())
  const anna = await signUp(first, 'anna@lapwing.test')
  const ben = await signUp(first, 'ben@lapwing.test')
  await saveLap(first, anna, anIbt({ lapTimesS: [21.4, 20.2], simUserId: 1 }))
  await untilRows(first, anna, 1)
  await identity(first, '/magic_links/email/login_or_create', { email: anna.email })
  await mailTo(first.urls.mailbox!, anna.email)
  // Ben's file waits at the moment of the backup.
  const worker = first.pids()['ingest-worker']!
  process.kill(worker, 'SIGSTOP')
  const waiting = await saveLap(first, ben, anIbt({ lapTimesS: [21.9, 20.7], simUserId: 2 }))
  assert.equal(waiting.status, 202)
  const board = await readBoard(first, anna)

  const lock = acquireRunLock(join(old, 'run.lock'), {
    pid: process.pid,
    command: basename(process.argv[1]!),
  })
  assert.ok('release' in lock)
  const made = await make('backup', old)
  assert.match(made.out, /^boards: [1-9] rows/m)
  assert.match(made.out, /^Backup \S+ is whole after/m)
  assert.equal(made.code, 0)
  const refused = await make('restore', old)
  assert.match(refused.out, /Lapwing runs from this folder .* Stop it first\./)
  assert.equal(refused.code, 1)
  lock.release()
  process.kill(worker, 'SIGCONT')
  await first.stop()

  const fresh = join(dir, 'fresh')
  cpSync(join(old, 'secrets.json'), join(fresh, 'secrets.json'))
  const restored = await make('restore', fresh)
  assert.match(restored.out, /^Restored after/m)
  assert.equal(restored.code, 0)
  const second = await start(fresh)
  t.after(() => second.stop())
  assert.deepEqual(await readBoard(second, anna), board)
  // The session of before, by its token and by its JWT.
  await identity(second, '/sessions/authenticate', {}, anna.token)
  const me = await call(second, 'GET', '/api/v1/auth/username', anna)
  assert.equal(me.status, 200)
  await untilRows(second, anna, 2)
  const mails = await fetch(`${second.urls.mailbox}/api/messages`)
  assert.deepEqual(await mails.json(), { messages: [] })
  assert.match((await make('check', fresh)).out, /is whole; it needs the key-encryption key/)
})

function start(dataDir: string): Promise<RunningStack> {
  return startStack({
    // With the servers of its folder, which a backup reads.
    parts: stack,
    rootDir,
    dataDir,
    publicPort: 0,
    publicHost: '127.0.0.1',
    env: { ...process.env, LOG_LEVEL: 'warn' },
    overrides: { gateway: { FRONTEND_DIR: page }, ingest: { INGEST_WAIT_MS: '500' } },
    say: () => {},
  }).then(async running => {
    await running.late
    return running
  })
}

/** Runs the command of `make`. Returns its exit code and what it printed. */
function make(command: string, dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, DIR: join(dir, 'backups') }
  return runNode([join(rootDir, 'services/local/backup/main.ts'), command], env)
}

interface Driver {
  readonly email: string
  readonly token: string
  readonly jwt: string
}

async function signUp(stack: RunningStack, email: string): Promise<Driver> {
  const body = { email, password: 'four wet tyres in the rain', session_duration_minutes: 60 }
  const { data } = (await identity(stack, '/passwords', body)) as {
    data: { session_token: string; session_jwt: string }
  }
  return { email, token: data.session_token, jwt: data.session_jwt }
}

async function identity(stack: RunningStack, path: string, body: object, token = publicToken) {
  const answer = await fetch(`${stack.url}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      origin: stack.url,
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${publicToken}:${token}`)}`,
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return JSON.parse(text) as unknown
}

/** Uploads a file as the page does, and asks for its verdict. The answer can say that the file waits. */
async function saveLap(stack: RunningStack, driver: Driver, file: Uint8Array) {
  const type = 'application/octet-stream'
  const announced = await call(stack, 'POST', '/api/v1/upload/init', driver, {
    filename: 'ring.ibt',
    size: file.byteLength,
    contentType: type,
  })
  const { url, fields, sessionId, key } = announced.json
  const form = new FormData()
  for (const [name, value] of Object.entries(fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([file as Uint8Array<ArrayBuffer>], { type }))
  const posted = await fetch(url, { method: 'POST', body: form })
  assert.ok(posted.ok, await posted.text())
  const upload = { sessionId, key }
  assert.equal((await call(stack, 'POST', '/api/v1/upload/complete', driver, upload)).status, 200)
  return call(stack, 'POST', '/api/laps/ingest-best-from-session', driver, upload)
}

function untilRows(stack: RunningStack, driver: Driver, rows: number): Promise<void> {
  return until(
    async () => (await readBoard(stack, driver)).rows.length === rows,
    `${rows} laps on the board`,
    60_000,
  )
}

/** A board without any lap is 404. */
async function readBoard(
  stack: RunningStack,
  driver: Driver,
): Promise<{ readonly rows: readonly unknown[] }> {
  const board = 'sim=iracing&track_slug=lapwing-ring&layout=short&car_slug=lapwing-gt&board=complete'
  const { status, json } = await call(stack, 'GET', `/api/leaderboards?${board}`, driver)
  assert.ok(status === 200 || status === 404, `${status}`)
  return status === 200 ? json : { rows: [] }
}

async function call(stack: RunningStack, method: string, path: string, { jwt }: Driver, body?: object) {
  const answer = await fetch(`${stack.url}${path}`, {
    method,
    headers: {
      origin: stack.url,
      authorization: `Bearer ${jwt}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers of several services, whose fields the assertions check.
  return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as any }
}
