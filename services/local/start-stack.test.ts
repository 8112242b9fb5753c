import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Part } from './stack.ts'
import { startOrder, startStack } from './start-stack.ts'
import { isAlive } from './testing/is-alive.ts'

const rootDir = join(import.meta.dirname, '../..')

test('starts parts after the parts they need, with their addresses', async t => {
  const running = await start(t, [
    part('front', { needs: ['back'], isPublic: true, env: ({ urls }) => ({ GREETING: urls.back }) }),
    part('back'),
  ])
  const answer = await ask(running.url)
  assert.equal(answer.greeting, running.urls.back)
  assert.match(running.url, /^http:\/\/localhost:\d+$/)
})

test('gives each part a port for its metrics on this machine alone, and lists them for Prometheus', async t => {
  const parts = [part('front', { isPublic: true }), part('back')]
  const dataDir = temporary(t)
  const running = await start(t, parts, { dataDir })
  for (const name of ['front', 'back']) {
    assert.match(running.metrics[name]!, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    assert.equal((await ask(running.urls[name]!)).metrics, running.metrics[name])
  }
  const [{ targets }] = JSON.parse(readFileSync(join(dataDir, 'metrics.json'), 'utf8'))
  assert.deepEqual(
    targets,
    Object.values(running.metrics).map(url => new URL(url).host),
  )
})

test('orders the start by the needs, and rejects parts that need each other', () => {
  const names = startOrder([part('c', { needs: ['a', 'b'] }), part('a'), part('b', { needs: ['a'] })]).map(
    wave => wave.map(({ name }) => name),
  )
  assert.deepEqual(names, [['a'], ['b'], ['c']])
  assert.throws(
    () => startOrder([part('a', { needs: ['b'] }), part('b', { needs: ['a'] })]),
    /a, b need each other/,
  )
  assert.throws(() => startOrder([part('a', { needs: ['nobody'] })]), /not in the table/)
})

test('does not start or await a part if the environment names a real server', async t => {
  const parts = [part('front', { needs: ['back'] }), part('back', { replacedBy: 'BACK_URL' })]
  const running = await start(t, parts, { env: { BACK_URL: 'http://real' } })
  assert.deepEqual(Object.keys(running.pids()), ['front'])
  const both = await start(t, parts, { env: { BACK_URL: '' } })
  assert.deepEqual(Object.keys(both.pids()).sort(), ['back', 'front'])
})

test('gives all parts the same further ports and the same secrets', async t => {
  const secrets: string[] = []
  const running = await start(t, [
    part('back', {
      ports: ['GREETING'],
      env: ({ secret }) => {
        secrets.push(secret('KEY'))
        return {}
      },
    }),
    part('front', {
      needs: ['back'],
      env: ({ ports, secret }) => {
        secrets.push(secret('KEY'))
        return { GREETING: String(ports.GREETING) }
      },
    }),
  ])
  const { greeting } = await ask(running.urls.back!)
  assert.match(greeting!, /^\d+$/)
  assert.equal((await ask(running.urls.front!)).greeting, greeting)
  assert.equal(secrets[0], secrets[1])
})

test('runs a part’s preparation to its end first, with the part’s environment', async t => {
  const dataDir = temporary(t)
  const before = ['services/local/testing/tiny-preparation.ts']
  await start(t, [part('back', { before, env: () => ({ OUTCOME: 'prepared' }) })], { dataDir })
  const log = readFileSync(join(dataDir, 'logs/back.log'), 'utf8')
  assert.match(log, /^prepared\npid \d+$/m)
})

test('rejects with the end of the log if a preparation fails, and leaves nothing running', async t => {
  const dataDir = temporary(t)
  const before = ['services/local/testing/tiny-preparation.ts']
  await assert.rejects(
    start(t, [part('good'), part('bad', { before, needs: ['good'], env: () => ({ OUTCOME: 'failed' }) })], {
      dataDir,
    }),
    /bad cannot be prepared \(exit code 4\)[\s\S]*failed/,
  )
  assert.equal(isAlive(await loggedPid(dataDir, 'good')), false)
})

test('restarts a dead part on its old port and prints a line', async t => {
  const said: string[] = []
  const running = await start(t, [part('back')], { said })
  const before = await pidAt(running.urls.back!)
  await fetch(`${running.urls.back}/die`).catch(() => {})
  await until(async () => (await pidAt(running.urls.back!).catch(() => before)) !== before, 'another process')
  await until(() => said.some(line => line === 'back is running again.'), 'the line about it')
  assert.match(
    said[0]!,
    /^back stopped unexpectedly \(exit code 7\); it starts again in 0\.5 s\. Its log: .*back\.log$/,
  )
})

test('ends the children of a killed part', async t => {
  const dataDir = temporary(t)
  const running = await start(t, [part('back', { env: () => ({ BEHAVIOUR: 'parent' }) })], { dataDir })
  const log = readFileSync(join(dataDir, 'logs/back.log'), 'utf8')
  const child = Number(/^child (\d+)$/m.exec(log)![1])
  assert.equal(isAlive(child), true)
  process.kill(running.pids().back!, 'SIGKILL')
  await until(() => !isAlive(child))
})

test('rejects with the end of the log if a part cannot start, and leaves nothing running', async t => {
  const dataDir = temporary(t)
  await assert.rejects(
    start(t, [part('good'), part('bad', { needs: ['good'], env: () => ({ BEHAVIOUR: 'exit' }) })], {
      dataDir,
    }),
    /bad does not start \(exit code 3\)[\s\S]*the disk is full of feathers/,
  )
  assert.equal(isAlive(await loggedPid(dataDir, 'good')), false)
})

const late = { waiting: 'It is late.', ready: 'It is here.', failed: 'It will not come:' }

test('is ready without a late part, and prints a line when that part is ready', async t => {
  const said: string[] = []
  const slow = part('slow', { late, env: () => ({ BEHAVIOUR: 'silent' }) })
  const running = await start(t, [slow, part('back')], { said })
  assert.deepEqual(said, ['It is late.'])
  await until(() =>
    fetch(`${running.urls.slow}/wake`).then(
      () => true,
      () => false,
    ),
  )
  await running.late
  assert.deepEqual(said, ['It is late.', 'It is here.'])
})

test('prints nothing about a late part that is ready in time', async t => {
  const said: string[] = []
  const running = await start(t, [part('slow', { late }), part('back', { needs: ['slow'] })], { said })
  await running.late
  assert.equal((await ask(running.urls.slow!)).pid, running.pids().slow)
  // The other part may have been ready first.
  assert.deepEqual(said, said.length === 0 ? [] : ['It is late.', 'It is here.'])
})

test('prints the last log line of a late part that cannot start, and keeps the rest running', async t => {
  const said: string[] = []
  const broken = part('broken', { late, env: () => ({ BEHAVIOUR: 'exit' }) })
  const running = await start(t, [broken, part('back')], { said })
  await running.late
  assert.equal(said.at(-1), 'It will not come: the disk is full of feathers')
  assert.equal((await ask(running.urls.back!)).pid, running.pids().back)
})

test('stops an awaited late part with the stack, without a line', async t => {
  const said: string[] = []
  const dataDir = temporary(t)
  const slow = part('slow', { late, env: () => ({ BEHAVIOUR: 'silent' }) })
  const running = await start(t, [slow, part('back')], { said, dataDir })
  const pid = await loggedPid(dataDir, 'slow')
  await running.stop()
  await running.late
  assert.equal(isAlive(pid), false)
  assert.deepEqual(said, ['It is late.'])
})

test('ends every process, even one that ignores SIGTERM, and removes the temporary files', async t => {
  const dataDir = temporary(t)
  const running = await start(t, [part('deaf', { env: () => ({ BEHAVIOUR: 'deaf' }) }), part('back')], {
    dataDir,
  })
  const pids = Object.values(running.pids())
  assert.equal(pids.length, 2)
  await running.stop()
  for (const pid of pids) assert.equal(isAlive(pid!), false)
  assert.deepEqual(readdirSync(dataDir), ['logs', 'ports.json'])
})

test('stops what already runs if the start is aborted', async t => {
  const dataDir = temporary(t)
  const abort = new AbortController()
  const silent = part('silent', { needs: ['back'], env: () => ({ BEHAVIOUR: 'silent' }) })
  const starting = start(t, [part('back'), silent], { dataDir, signal: abort.signal })
  starting.catch(() => {})
  await loggedPid(dataDir, 'silent')
  abort.abort()
  await assert.rejects(starting)
  for (const name of ['back', 'silent']) assert.equal(isAlive(await loggedPid(dataDir, name)), false)
})

test('stops the processes of a killed stack', async t => {
  const dataDir = temporary(t)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/tiny-stack.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const pid = Number(line)
  assert.equal(isAlive(pid), true)
  child.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

function part(name: string, rest: Partial<Part> = {}): Part {
  return {
    name,
    entry: 'services/local/testing/tiny-service.ts',
    needs: [],
    answers: ['/'],
    env: () => ({}),
    ...rest,
  }
}

interface StartOptions {
  said?: string[]
  dataDir?: string
  signal?: AbortSignal
  env?: Record<string, string>
}

async function start(
  t: TestContext,
  parts: Part[],
  { said = [], dataDir, signal, env = {} }: StartOptions = {},
) {
  const running = await startStack({
    parts,
    rootDir,
    dataDir: dataDir ?? temporary(t),
    publicPort: 0,
    publicHost: '127.0.0.1',
    env,
    say: line => said.push(line),
    timing: { restartMs: 500, stopMs: 500 },
    ...(signal && { signal }),
  })
  t.after(() => running.stop())
  return running
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-stack-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Greeting {
  readonly pid: number
  readonly greeting?: string
  readonly metrics: string
}

async function ask(url: string): Promise<Greeting> {
  return (await (await fetch(url)).json()) as Greeting
}

async function pidAt(url: string): Promise<number> {
  return (await ask(url)).pid
}

/** Returns the process id that a tiny service logged at its start. */
async function loggedPid(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, 'logs', `${name}.log`)
  const logged = () => existsSync(file) && /^pid (\d+)$/m.exec(readFileSync(file, 'utf8'))
  await until(() => Boolean(logged()), `${name} logs its process id`)
  return Number((logged() as RegExpExecArray)[1])
}
