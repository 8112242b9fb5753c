import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Accounts, startAccounts } from '@lapwing/e2e/accounts-stack'
import { defaultHashCost } from '@lapwing/identity/hash-cost'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { runProcess } from '../run-process.ts'
import { startServer } from '../start-server.ts'
import type { Times } from '../subjects/call-identity.ts'
import { type Answer, callIdentity, readKeys, timed } from '../subjects/identity-client.ts'

/** Measures sign-ins as in a deployment: over the network, to a separate process. */
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
/** Sign-ins that warm identity up, like a service that has run for days. */
const warmingUp = 400
const floodMs = 5_000

/** Measures whether sign-ins per second reach nearly the rate of hashing alone. */
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

/**
 * Measures other calls during far more sign-ins than can be served. A refused client waits for `Retry-After`.
 */
async function flood({ rounds: count }: BenchContext, accounts: Accounts): Promise<readonly Line[]> {
  const others = await startServer('call-identity.ts', [accounts.identityUrl, await openSession(accounts)])
  const idle: Times = { keys: [], renewals: [] }
  const busy: Times = { keys: [], renewals: [] }
  const refused: number[] = []
  let served = 0
  const call = async (times: Times) => {
    const more = await others.ask<Times>(String(floodMs))
    for (const what of ['keys', 'renewals'] as const) times[what].push(...more[what])
  }
  for (let round = 0; round < count; round++) {
    await call(idle)
    // Connections are opened before: connecting costs the clients more than a refusal costs the service.
    await Promise.all(Array.from({ length: 200 }, () => readKeys(accounts.identityUrl)))
    const isOver = AbortSignal.timeout(floodMs)
    const calling = call(busy)
    await Promise.all(
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
    await calling
  }
  await others.stop()
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
    line('p99 of the key set, flooded', percentile(busy.keys, 99), 'idle', percentile(idle.keys, 99), 2),
    line(
      'p99 of a session renewed, flooded',
      percentile(busy.renewals, 99),
      'idle',
      percentile(idle.renewals, 99),
      2,
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
 * Sends fifty wrong passwords for one account in parallel from fifty networks, for one account after another.
 * Only an answer after a hash says that a password is wrong.
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
    name: 'most hashes of 50 parallel wrong tries',
    unit: 'tries',
    ours: most,
    peerName: 'limit',
    peer: 30,
    ratio: most / 30,
    atMost: 1,
  }
}

const email = (person: number | string) => `driver.${person}@lapwing.test`

function signUp(accounts: Accounts, person: number | string): Promise<Answer> {
  return callIdentity(accounts.identityUrl, '/passwords', {
    email: email(person),
    password,
    session_duration_minutes: 60,
  })
}

function signIn(accounts: Accounts, person: number | string, typed = password): Promise<Answer> {
  return callIdentity(accounts.identityUrl, '/passwords/authenticate', {
    email: email(person),
    password: typed,
    session_duration_minutes: 60,
  })
}

/** Signs up an account that does nothing else and returns its session token. */
async function openSession(accounts: Accounts): Promise<string> {
  const { data } = JSON.parse((await signUp(accounts, 'reader')).body) as { data: { session_token: string } }
  return data.session_token
}

function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN
}
