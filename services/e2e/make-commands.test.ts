/**
 * What runs beside a Lapwing: `make demo`, the script of `helm test`, the client of `make kube-e2e` and `make backup`. Then
 * `make restore` into another folder, and `make run` there. One Lapwing for all, because each start of one costs as much
 * as the tests.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bundleClient } from '@lapwing/kube/bundle-client'
import { type Client, connectClient } from '@lapwing/kube/start-client'
import { demoBoards } from '@lapwing/local/demo/boards'
import { connectDemo } from '@lapwing/local/demo/connect-demo'
import { clearBoards, type Demo, fillBoards } from '@lapwing/local/demo/fill-boards'
import { acquireRunLock } from '@lapwing/local/run-lock'
import { stack } from '@lapwing/local/stack'
import { type RunningStack, startStack } from '@lapwing/local/start-stack'
import { decodeReference } from '@lapwing/telemetry/compare'
import { runNode } from '@lapwing/testing/run-node.ts'
import { until } from '@lapwing/testing/until.ts'
import { isDemoName } from '@lapwing/usernames/demo-name'
import { anIbt } from './testing/an-ibt.ts'
import { mailTo } from './testing/mails.ts'
import { copyPage } from './testing/page-copy.ts'

const rootDir = join(import.meta.dirname, '../..')
const publicToken = 'public-token-live-lapwing'
/** The tests check what is stored, not the strength of a hash. */
const env = { ...process.env, ARGON2_MEMORY_KIB: '64', ARGON2_PASSES: '1' }
const dir = mkdtempSync(join(tmpdir(), 'lapwing-commands-'))
/** The folders of the first Lapwing and of the one that is restored. */
const [old, fresh] = [join(dir, 'old'), join(dir, 'fresh')]

let first: RunningStack
let second: StartedRun
/** Looks at the boards of the demo. */
let viewer: Driver
let anna: Driver
let demo: Demo

before(async () => {
  const page = process.env.TEST_PAGE_DIR || join(dir, 'page')
  if (!process.env.TEST_PAGE_DIR) await copyPage(page)
  first = await startStack({
    // With the servers of its folder, which a backup reads. `make run` starts the demo app below.
    parts: stack.filter(({ name }) => name !== 'demo-app'),
    rootDir,
    dataDir: old,
    publicPort: 0,
    publicHost: '127.0.0.1',
    env: { ...env, LOG_LEVEL: 'warn' },
    overrides: {
      // Each driver of the client has a network of their own.
      gateway: { FRONTEND_DIR: page, TRUSTED_PROXIES: '127.0.0.1' },
      ingest: { INGEST_WAIT_MS: '500' },
    },
    say: () => {},
  })
  await first.late
  viewer = await signUp(first, 'viewer@lapwing.test')
  demo = { dataDir: old, client: await connectDemo(old), say: () => {} }
})
after(async () => {
  await second?.stop()
  await first?.stop()
  rmSync(dir, { recursive: true, force: true })
})

const boards = demoBoards.map(board => ({ ...board, drivers: 3 }))
const drawn = { seed: 3, now: new Date('2026-06-01T12:00:00Z') }

test('fills every board with demo drivers, each with a lap that can be a reference', async () => {
  await fillBoards(demo, boards, drawn)
  const found = await readBoards()
  assert.deepEqual(
    [...found.keys()].sort(),
    demoBoards
      .map(
        ({ trackDisplayName, trackConfigName, carScreenName }) =>
          `${trackDisplayName}, ${trackConfigName}: ${carScreenName}`,
      )
      .sort(),
  )
  for (const [name, rows] of found) {
    assert.equal(rows.length, 3, name)
    for (const { display_name, lap_id } of rows) {
      assert.ok(isDemoName(display_name), display_name)
      const answer = await fetch(`${first.url}/api/laps/${lap_id}/reference`, {
        headers: { authorization: `Bearer ${viewer.jwt}`, accept: 'application/x-protobuf' },
      })
      assert.equal(answer.status, 200)
      const { track } = decodeReference(new Uint8Array(await answer.arrayBuffer()))
      assert.ok(track.speed !== undefined && track.throttle !== undefined)
      // Where a real circuit lies is unknown to the demo, and must not be invented.
      assert.equal(track.lat !== undefined, name.startsWith('Greywater'), name)
    }
  }
})

test('replaces the demo drivers of an earlier call', async () => {
  const earlier = new Set([...(await readBoards()).values()].flat().map(row => row.lap_id))
  await fillBoards(demo, boards, drawn)
  const rows = [...(await readBoards()).values()].flat()
  assert.equal(rows.length, 3 * boards.length)
  assert.ok(rows.every(row => !earlier.has(row.lap_id)))
})

test('removes all demo drivers of an interrupted call', async () => {
  // More than are uploaded at the same time, so that some are on their board.
  let left = 5
  const client: Demo['client'] = {
    ...demo.client,
    async uploadFile(userId, file) {
      if (left-- <= 0) throw new Error('cut off')
      return demo.client.uploadFile(userId, file)
    },
  }
  await assert.rejects(fillBoards({ ...demo, client }, boards, drawn), /cut off/)
  assert.ok([...(await readBoards()).values()].flat().length > 0)
  assert.ok((await clearBoards(demo)) > 0)
  assert.deepEqual([...(await readBoards()).values()].flat(), [])
  assert.equal(await clearBoards(demo), 0)
})

test('uploads a lap to the board of a sound release and removes it again, any number of times', async () => {
  for (const _ of [1, 2]) {
    const { code, out } = await runReleaseTest({})
    assert.deepEqual(out.trim().split('\n'), [
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
    assert.equal(code, 0)
  }
})

test('names the step that fails if the object store is away, and deletes its account', async () => {
  const { code, out } = await runReleaseTest({ STORE: 'http://127.0.0.1:9' })
  assert.equal(code, 1)
  const lines = out.trim().split('\n')
  assert.equal(
    lines.findLast(line => line.startsWith('ok')),
    'ok  creates an account',
  )
  // A second line would say that the account remains.
  const [failure, ...others] = lines.filter(line => !line.startsWith('ok'))
  assert.match(
    failure!,
    /^failed: refuses a file of another size than its form allows: http:\/\/127\.0\.0\.1:9 cannot be reached from a pod: .+$/,
  )
  assert.deepEqual(others, [])
})

const bundle = join(dir, 'bundle')
/** Starts the client's bundle as the pod of the cluster does. */
function aClient(): Client {
  return connectClient(
    spawn(process.execPath, [join(bundle, 'client.mjs'), first.urls.gateway!]),
    'a process',
  )
}

test('a ConfigMap can hold the client of the cluster', async () => {
  await bundleClient(bundle)
  const bytes = readdirSync(bundle).map(file => statSync(join(bundle, file)).size)
  assert.ok(bytes.reduce((sum, size) => sum + size, 0) < 1_000_000, String(bytes))
})

test('the client makes journeys until `end`, and another one continues with the same drivers', async () => {
  const client = aClient()
  const made = await client.call('setUp', { scenario: 'mixed' })
  assert.equal(made.drivers, 24)
  assert.equal(made.rows, made.laps)

  await client.call('begin', { scenario: 'mixed', rate: 5 })
  const figures = await client.call('end', { scenario: 'mixed' })
  assert.deepEqual(figures.failures, [])
  assert.ok(figures.journeys > 0)
  assert.ok(figures.requests >= figures.journeys)
  assert.deepEqual([figures.refused, figures.failed, figures.dropped], [0, 0, 0])
  const { rows } = await client.call('verify', { scenario: 'mixed' })
  assert.ok(rows >= made.rows)

  const boards = await client.call('readBoards')
  assert.equal(boards.rows, rows)
  const world = await client.call('world')
  await client.stop()
  await assert.rejects(client.call('readBoards'), /the client in a process is gone/)

  const next = aClient()
  await next.call('adopt', { world })
  assert.deepEqual(await next.call('renewSessions'), { sessions: 24 })
  assert.deepEqual(await next.call('readBoards'), boards)
  await assert.rejects(next.call('end', { scenario: 'mixed' }), /mixed is not loaded/)
  await assert.rejects(next.call('verify', { scenario: 'ingest' }), /nobody has set ingest up/)
  await next.stop()
})

test('brings boards, sessions and waiting files into an empty Lapwing, and sends no mail again', async () => {
  anna = await signUp(first, 'anna@lapwing.test')
  const ben = await signUp(first, 'ben@lapwing.test')
  await saveLap(first, anna, anIbt({ lapTimesS: [21.4, 20.2], simUserId: 1 }))
  await untilRows(first, anna, 1)
  const rows = [...(await readBoards()).values(), ...(await readBoards('clean')).values()].flat().length
  const name = await username(first, anna.jwt)
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
  assert.match(made.out, new RegExp(`^boards: ${rows} rows`, 'm'))
  assert.match(made.out, /^Backup \S+ is whole after/m)
  assert.equal(made.code, 0)
  const refused = await make('restore', old)
  assert.match(refused.out, /Lapwing runs from this folder .* Stop it first\./)
  assert.equal(refused.code, 1)
  lock.release()
  process.kill(worker, 'SIGCONT')
  await first.stop()

  cpSync(join(old, 'secrets.json'), join(fresh, 'secrets.json'))
  const restored = await make('restore', fresh)
  assert.match(restored.out, /^Restored after/m)
  assert.equal(restored.code, 0)
  second = startRun(fresh)
  await second.ready
  assert.deepEqual(await readBoard(second, anna), board)
  // The session of before, by its token and by its JWT.
  await identity(second, '/sessions/authenticate', {}, anna.token)
  assert.equal(await username(second, anna.jwt), name)
  await untilRows(second, anna, 2)
  const mails = await fetch(`${second.mailboxUrl}/api/messages`)
  assert.deepEqual(await mails.json(), { messages: [] })
  assert.match((await make('check', fresh)).out, /is whole; it needs the key-encryption key/)
})

test('`make run` prints the address of a working page, finds the data of its folder, runs once per folder, and leaves nothing behind after Ctrl-C', async () => {
  const { url } = second
  assert.equal((await fetch(url)).status, 200)
  assert.equal((await fetch(`${url}/config.json`)).status, 200)
  const listening = addresses(fresh)
  assert.ok(listening.length >= 2, 'fewer processes than the gateway and one service')
  assert.equal((await fetch(second.mailboxUrl)).status, 200)
  const again = await runNode(runCommand, { ...env, PORT: '0', DATA_DIR: fresh })
  assert.match(again.out, /^Lapwing already runs from this folder \(process \d+\)\. Stop that one first\.$/m)
  assert.equal(again.code, 1)

  const credentials = { email: anna.email, password: goodPassword, session_duration_minutes: 60 }
  await identity(second, '/passwords/authenticate', credentials)
  const newcomer = await signUp(second, 'newcomer@lapwing.test')
  assert.match(await username(second, newcomer.jwt), /^user[a-z0-9]{7}$/)
  // Signing out ends the session everywhere within a second (D-13).
  await identity(second, '/sessions/revoke', {}, newcomer.token)
  const endedMs = performance.now()
  let askedMs = endedMs
  while ((await call(second, 'GET', '/api/v1/auth/username', newcomer)).status !== 401) {
    assert.ok(askedMs - endedMs < 1_000)
    await delay(20)
    askedMs = performance.now()
  }

  // A terminal signals the whole group: `make`, its shell and this process.
  process.kill(-second.child.pid!, 'SIGINT')
  const [code] = await once(second.child, 'exit')
  assert.equal(code, 0, second.output())
  for (const address of [url, ...listening]) await assert.rejects(fetch(address), address)
  assert.deepEqual(readdirSync(fresh).sort(), [
    'logs',
    'mailbox',
    'object-store',
    'ports.json',
    'postgres',
    'secrets.json',
    'valkey',
  ])
})

/** Runs the command of `make`. Returns its exit code and what it printed. */
function make(command: string, dataDir: string) {
  const file = join(rootDir, 'services/local/backup/main.ts')
  return runNode([file, command], { ...env, DATA_DIR: dataDir, DIR: join(dir, 'backups') })
}

/** Runs the script of `helm test` against the first Lapwing. */
function runReleaseTest(more: Readonly<Record<string, string>>) {
  const files = join(rootDir, 'charts/lapwing/files')
  return runNode([join(files, 'release-test.mjs')], {
    GATEWAY: first.url,
    PUBLIC_ORIGIN: first.url,
    PUBLIC_TOKEN: publicToken,
    STORE: 'public',
    FILE: join(files, 'release-test.ibt.br'),
    ...more,
  })
}

const runCommand = [join(rootDir, 'services/local/run.ts')]

/** A `make run`. Its addresses are empty until `ready` resolves. */
interface StartedRun {
  readonly child: ChildProcess
  readonly output: () => string
  readonly url: string
  readonly mailboxUrl: string
  readonly ready: Promise<void>
  stop(): Promise<void>
}

function startRun(dataDir: string): StartedRun {
  const child = spawn(process.execPath, runCommand, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PORT: '0', DATA_DIR: dataDir },
  })
  let output = ''
  const printed = (line: RegExp) => line.exec(output)?.[1] ?? ''
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      // The last line of the start.
      if (/^Ctrl-C stops it\./m.test(output)) ready.resolve()
    })
  }
  child.once('close', () => ready.reject(new Error(`It ended without an address:\n${output}`)))
  return {
    child,
    output: () => output,
    get url() {
      return printed(/^Lapwing: (http:\/\/localhost:\d+)$/m)
    },
    get mailboxUrl() {
      return printed(/^Sent mails: (http:\/\/127\.0\.0\.1:\d+)$/m)
    },
    ready: ready.promise,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Returns where each process listens, from its log. */
function addresses(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'logs')).flatMap(
    name => /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(join(dataDir, 'logs', name), 'utf8'))?.[0] ?? [],
  )
}

/** A Lapwing that answers at `url`. */
type Running = Pick<RunningStack, 'url'>

interface Driver {
  readonly email: string
  readonly token: string
  readonly jwt: string
}

const goodPassword = 'four wet tyres in the rain'

async function signUp(at: Running, email: string): Promise<Driver> {
  const body = { email, password: goodPassword, session_duration_minutes: 60 }
  const { data } = (await identity(at, '/passwords', body)) as {
    data: { session_token: string; session_jwt: string }
  }
  return { email, token: data.session_token, jwt: data.session_jwt }
}

async function identity({ url }: Running, path: string, body: object, token = publicToken) {
  const answer = await fetch(`${url}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      origin: url,
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${publicToken}:${token}`)}`,
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return JSON.parse(text) as unknown
}

async function username(at: Running, jwt: string): Promise<string> {
  const { status, json } = await call(at, 'GET', '/api/v1/auth/username', { jwt })
  assert.equal(status, 200)
  return json.username
}

/** Uploads a file as the page does, and asks for its verdict. The answer can say that the file waits. */
async function saveLap(at: Running, driver: Driver, file: Uint8Array) {
  const type = 'application/octet-stream'
  const announced = await call(at, 'POST', '/api/v1/upload/init', driver, {
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
  assert.equal((await call(at, 'POST', '/api/v1/upload/complete', driver, upload)).status, 200)
  return call(at, 'POST', '/api/laps/ingest-best-from-session', driver, upload)
}

function untilRows(at: Running, driver: Driver, rows: number): Promise<void> {
  return until(
    async () => (await readBoard(at, driver)).rows.length === rows,
    `${rows} laps on the board`,
    60_000,
  )
}

/** A board without any lap is 404. */
async function readBoard(at: Running, driver: Driver): Promise<{ readonly rows: readonly unknown[] }> {
  const board = 'sim=iracing&track_slug=lapwing-ring&layout=short&car_slug=lapwing-gt&board=complete'
  const { status, json } = await call(at, 'GET', `/api/leaderboards?${board}`, driver)
  assert.ok(status === 200 || status === 404, `${status}`)
  return status === 200 ? json : { rows: [] }
}

interface Row {
  readonly lap_id: string
  readonly display_name: string
}

interface Listed {
  readonly slug: string
  readonly layout: string
  readonly label: string
}

/** Returns the rows of every board of the first Lapwing, by the labels of its track and car. */
async function readBoards(board: 'complete' | 'clean' = 'complete'): Promise<Map<string, readonly Row[]>> {
  const ask = async (path: string) => (await call(first, 'GET', `/api/leaderboards${path}`, viewer)).json
  const found = new Map<string, readonly Row[]>()
  for (const { slug, layout, label } of (await ask('/tracks')).tracks as Listed[]) {
    for (const car of (await ask(`/tracks/${slug}/cars?layout=${layout}`)).cars as Listed[]) {
      const query = new URLSearchParams({
        sim: 'iracing',
        track_slug: slug,
        layout,
        car_slug: car.slug,
        board,
      })
      found.set(`${label}: ${car.label}`, (await ask(`?${query}`)).rows)
    }
  }
  return found
}

async function call(
  { url }: Running,
  method: string,
  path: string,
  { jwt }: Pick<Driver, 'jwt'>,
  body?: object,
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      origin: url,
      authorization: `Bearer ${jwt}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers of several services, whose fields the assertions check.
  return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as any }
}
