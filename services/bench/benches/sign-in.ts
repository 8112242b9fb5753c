import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Accounts, publicToken, startAccounts } from '@lapwing/e2e/accounts-stack'
import { defaultHashCost } from '@lapwing/identity/password-hasher'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { runProcess } from '../run-process.ts'

/** Sign-ins as a deployment meets them: over the network, at a process of their own. */
export const signInBench: Bench = {
  name: 'sign-in',
  how:
    'Identity as a process with the password hash of production, one a core, a real Postgres, and clients over ' +
    'loopback; the peer is a process that does nothing but hash.',
  async run(context) {
    const accounts = await startAccounts({
      pageOrigin: 'http://localhost:9',
      identity: { ...productionHash, TRUSTED_PROXIES: '127.0.0.1' },
    })
    try {
      for (let person = 0; person < clients; person++) await signUp(accounts, person)
      return [
        await rate(context, accounts),
        ...(await flood(context, accounts)),
        await lockOut(context, accounts),
      ]
    } finally {
      await accounts.stop()
    }
  },
}

const productionHash = {
  ARGON2_MEMORY_KIB: String(defaultHashCost.memoryKib),
  ARGON2_PASSES: String(defaultHashCost.passes),
  HASH_CONCURRENCY: '0',
}
const password = 'violet kerb sausage 42'
const clients = 8
const signIns = 160
/** A service that runs for days has compiled what it does often. */
const warmingUp = 400

/** As many sign-ins as the processors can hash for, and hardly fewer. */
async function rate({ rounds: count, log }: BenchContext, accounts: Accounts): Promise<Line> {
  log(`sign-in: ${count} rounds of ${signIns} sign-ins and ${signIns} hashes`)
  const signAllIn = async (times = signIns) => {
    let next = 0
    const begin = performance.now()
    await Promise.all(
      Array.from({ length: clients }, async (_, person) => {
        while (next++ < times) {
          const status = (await signIn(accounts, person)).status
          if (status !== 200) throw new Error(`A sign-in was answered with ${status}.`)
        }
      }),
    )
    return performance.now() - begin
  }
  const hashAll = async () => {
    const args = [join(import.meta.dirname, '../subjects/hash-passwords.ts'), String(signIns)]
    return (await runProcess<{ ms: number }>({ command: process.execPath, args })).ms
  }
  await signAllIn(warmingUp)
  const [ours = [], raw = []] = await rounds(count, [() => signAllIn(), hashAll])
  return {
    name: `one of ${clients} clients' sign-ins`,
    unit: 'ms',
    ours: median(ours) / signIns,
    peerName: 'its hash',
    peer: median(raw) / signIns,
    ratio: pairedRatio(ours, raw),
    // At least 0.9 of the rate.
    atMost: 1.11,
  }
}

/** What others wait for while far more sign in than can be served; who is refused comes again when told. */
async function flood({ rounds: count }: BenchContext, accounts: Accounts): Promise<readonly Line[]> {
  const reader = await openSession(accounts)
  const others = {
    'the key set': () => ask(new URL('/.well-known/jwks.json', accounts.identityUrl), 'GET', {}),
    'a session renewed': () => send(accounts, '/sessions/authenticate', {}, reader),
  }
  const times = Object.entries(others).map(([name, work]) => ({
    name,
    work,
    idle: [] as number[],
    busy: [] as number[],
  }))
  const refused: number[] = []
  let served = 0
  for (let round = 0; round < count; round++) {
    for (let asked = 0; asked < 200; asked++) {
      for (const { work, idle } of times) idle.push((await timed(work)).ms)
    }
    // Connecting costs the client more than a refusal costs the service.
    await Promise.all(Array.from({ length: 200 }, others['the key set']))
    const isOver = AbortSignal.timeout(5_000)
    const flooding = Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        while (!isOver.aborted) {
          const { ms, answer } = await timed(() => signIn(accounts, index % clients))
          if (answer.status !== 503 && answer.status !== 429) {
            served++
            continue
          }
          refused.push(ms)
          await delay(Number(answer.headers['retry-after']) * 1_000, undefined, { signal: isOver }).catch(
            () => undefined,
          )
        }
      }),
    )
    while (!isOver.aborted) {
      for (const { work, busy } of times) busy.push((await timed(work)).ms)
    }
    await flooding
  }
  const line = (name: string, ours: number, peerName: string, peer: number, atMost: number): Line => ({
    name,
    unit: 'ms',
    ours,
    peerName,
    peer,
    ratio: ours / peer,
    atMost,
  })
  const allowedMs = 100
  return [
    ...times.map(({ name, idle, busy }) =>
      line(`p99 of ${name}, flooded`, percentile(busy, 99), 'idle', percentile(idle, 99), 2),
    ),
    line('p50 of a refusal, 200 clients', percentile(refused, 50), 'allowed', allowedMs, 1),
    line('p99 of a refusal, 200 clients', percentile(refused, 99), 'allowed', allowedMs, 1),
    {
      ...line('hashed meanwhile, of all tries', served, 'tries', served + refused.length, 1),
      unit: 'tries',
      atMost: null,
    },
  ]
}

/**
 * Fifty wrong passwords for one account at once, for one account after another: only an answer after a
 * hash says that a password is wrong.
 */
async function lockOut({ rounds: count }: BenchContext, accounts: Accounts): Promise<Line> {
  const hashed: number[] = []
  for (let account = 0; account < 4 * count; account++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const answer = await signIn(accounts, `locked.${account}`, 'a wrong password')
        return (JSON.parse(answer.body) as { error_type: string }).error_type
      }),
    )
    hashed.push(answers.filter(type => type === 'unauthorized_credentials').length)
  }
  const most = Math.max(...hashed)
  return {
    name: 'most of 50 wrong tries at once hashed',
    unit: 'tries',
    ours: most,
    peerName: 'limit',
    peer: 10,
    ratio: most / 10,
    atMost: 1,
  }
}

const email = (person: number | string) => `driver.${person}@lapwing.test`

function signUp(accounts: Accounts, person: number | string): Promise<Answer> {
  return send(accounts, '/passwords', { email: email(person), password, session_duration_minutes: 60 })
}

function signIn(accounts: Accounts, person: number | string, typed = password): Promise<Answer> {
  return send(accounts, '/passwords/authenticate', {
    email: email(person),
    password: typed,
    session_duration_minutes: 60,
  })
}

/** The token of a session of somebody who does nothing else. */
async function openSession(accounts: Accounts): Promise<string> {
  const { data } = JSON.parse((await signUp(accounts, 'reader')).body) as { data: { session_token: string } }
  return data.session_token
}

/** Each from a network of its own, as strangers are. */
function send({ identityUrl }: Accounts, path: string, body: object, as = publicToken): Promise<Answer> {
  networks++
  return ask(
    new URL(`/sdk/v1${path}`, identityUrl),
    'POST',
    {
      authorization: `Basic ${btoa(`${publicToken}:${as}`)}`,
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
    },
    JSON.stringify(body),
  )
}

let networks = 0

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The plainest client there is: what it costs is taken from the same processors. */
function ask(url: URL, method: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent }, answer => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }))
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

const agent = new Agent({ keepAlive: true })

async function timed(work: () => Promise<Answer>): Promise<{ readonly ms: number; readonly answer: Answer }> {
  const begin = performance.now()
  const answer = await work()
  return { ms: performance.now() - begin, answer }
}

function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN
}
