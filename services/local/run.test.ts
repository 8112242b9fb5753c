import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@lapwing/dev-servers/free-port'

const rootDir = join(import.meta.dirname, '../..')

test('prints the address of a working page, leaves nothing behind after Ctrl-C, runs once per folder and finds its data again', async t => {
  const dataDir = temporary(t)
  const run = start(t, { PORT: '0', DATA_DIR: dataDir })
  const url = await run.address
  assert.equal((await fetch(url)).status, 200)
  assert.equal((await fetch(`${url}/config.json`)).status, 200)
  const listening = addresses(dataDir)
  assert.ok(listening.length >= 2, 'fewer processes than the gateway and one service')
  const mailbox = /^Sent mails: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(run.output())?.[1]
  assert.equal((await fetch(mailbox!)).status, 200)
  const signedUp = await identity(url, '/passwords')
  assert.equal(signedUp.status, 200)
  const name = await username(url, signedUp.jwt)
  assert.match(name, /^user[a-z0-9]{7}$/)
  // Signing out ends the session everywhere within a second (D-13).
  assert.equal((await identity(url, '/sessions/revoke', signedUp.token)).status, 200)
  const endedMs = performance.now()
  let askedMs = endedMs
  while ((await askUsername(url, signedUp.jwt)).status !== 401) {
    assert.ok(askedMs - endedMs < 1_000)
    await delay(20)
    askedMs = performance.now()
  }

  // A terminal signals the whole group: `make`, its shell and this process.
  process.kill(-run.child.pid!, 'SIGINT')
  const [code] = await once(run.child, 'exit')
  assert.equal(code, 0, run.output())
  for (const address of [url, ...listening]) await assert.rejects(fetch(address), address)
  assert.deepEqual(readdirSync(dataDir).sort(), [
    'logs',
    'mailbox',
    'object-store',
    'ports.json',
    'postgres',
    'secrets.json',
    'valkey',
  ])

  // The next run finds the data of this one.
  const next = start(t, { PORT: '0', DATA_DIR: dataDir })
  const nextUrl = await next.address
  const second = start(t, { PORT: '0', DATA_DIR: dataDir })
  second.address.catch(() => {})
  const [refusal] = await once(second.child, 'close')
  assert.equal(refusal, 1)
  assert.match(
    second.output(),
    /^Lapwing already runs from this folder \(process \d+\)\. Stop that one first\.$/m,
  )
  const signedIn = await identity(nextUrl, '/passwords/authenticate')
  assert.equal(signedIn.status, 200)
  assert.equal(await username(nextUrl, signedIn.jwt), name)
})

test('reports a port in use in one sentence, before it starts anything', async t => {
  const [port] = await freePorts(1)
  const server = createServer().listen(port, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const dataDir = temporary(t)
  const run = start(t, { PORT: String(port), DATA_DIR: dataDir })
  run.address.catch(() => {})
  const [code] = await once(run.child, 'close')
  assert.equal(code, 1)
  assert.match(
    run.output(),
    new RegExp(`^Port ${port} is taken by another program\\. .* make run PORT=${port! + 1}\\n$`),
  )
  assert.deepEqual(readdirSync(dataDir), [])
})

test('names the variable of a port that is not a number', async t => {
  const run = start(t, { PORT: 'eighty', DATA_DIR: temporary(t) })
  run.address.catch(() => {})
  const [code] = await once(run.child, 'close')
  assert.equal(code, 1)
  assert.match(run.output(), /PORT must be a whole number from 0 to 65535/)
})

test('names the variable of an invalid address, without repeating its value', async t => {
  const run = start(t, { PORT: '0', DATA_DIR: temporary(t), DATABASE_URL: 'my-secret-database' })
  run.address.catch(() => {})
  const [code] = await once(run.child, 'close')
  assert.equal(code, 1)
  assert.match(run.output(), /DATABASE_URL must be an address that begins with postgres:\/\//)
  assert.doesNotMatch(run.output(), /my-secret/)
})

/** Calls the sign-in protocol through the page's own address. */
async function identity(
  url: string,
  path: string,
  secret = publicToken,
): Promise<{ status: number; jwt: string; token: string }> {
  const response = await fetch(`${url}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${publicToken}:${secret}`)}`,
      'content-type': 'application/json',
      origin: url,
    },
    body: JSON.stringify({
      email: 'driver@lapwing.example',
      password: 'eleven green bicycles',
      session_duration_minutes: 60,
    }),
  })
  const { data } = (await response.json()) as { data?: { session_jwt?: string; session_token?: string } }
  return { status: response.status, jwt: data?.session_jwt ?? '', token: data?.session_token ?? '' }
}

const publicToken = 'public-token-live-lapwing'

async function username(url: string, jwt: string): Promise<string> {
  return ((await (await askUsername(url, jwt)).json()) as { username: string }).username
}

function askUsername(url: string, jwt: string): Promise<Response> {
  return fetch(`${url}/api/v1/auth/username`, { headers: { authorization: `Bearer ${jwt}` } })
}

interface StartedRun {
  readonly child: ChildProcess
  readonly output: () => string
  /** The address after "Lapwing: ", once everything answers. */
  readonly address: Promise<string>
}

function start(t: TestContext, env: Record<string, string>): StartedRun {
  const child = spawn(process.execPath, ['services/local/run.ts'], {
    cwd: rootDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  let output = ''
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const line = /^Lapwing: (http:\/\/localhost:\d+)$/m.exec(output)
        if (line) resolve(line[1]!)
      })
    }
    child.once('close', () => reject(new Error(`It ended without an address:\n${output}`)))
  })
  return { child, output: () => output, address }
}

/** Returns where each process listens, from its log. */
function addresses(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'logs')).flatMap(
    name => /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(join(dataDir, 'logs', name), 'utf8'))?.[0] ?? [],
  )
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-run-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
