import { availableParallelism } from 'node:os'
import { createPasswordHasher } from '@lapwing/identity/password-hasher'
import { goodPassword, type Harness, harness, publicToken } from '@lapwing/identity/test/harness'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'

/** What a sign-in costs beside its hash, and what a flood of them does to everybody else. */
export const signInRateBench: Bench = {
  name: 'sign-in-rate',
  how:
    'Identity without a network, with the password hash of production, one hash a core, and a real Postgres: ' +
    '40 sign-ins of 8 clients beside 40 mere hashes; then what others wait while 200 try at once.',
  async run(context) {
    context.log(`sign-in-rate: ${context.rounds} rounds`)
    return [await rate(context), ...(await flood(context))]
  },
}

const production = { memoryKib: 19_456, passes: 2, concurrency: availableParallelism() }
const clients = 8
const signIns = 40

async function rate(context: BenchContext): Promise<Line> {
  const hasher = await createPasswordHasher({ ...production, maxWaitMs: 600_000 })
  const service = await harness({ hasher })
  try {
    for (let person = 0; person < clients; person++) await service.signUp(`${person}@example.com`)
    const hash = await hasher.hash(goodPassword)
    const [ours = [], raw = []] = await rounds(context.rounds, [
      () => timed(work => signIn(service, `${work % clients}@example.com`)),
      () => timed(() => hasher.verify(hash, goodPassword)),
    ])
    return {
      name: 'one sign-in of eight clients',
      unit: 'ms',
      ours: median(ours) / signIns,
      peerName: 'its hash',
      peer: median(raw) / signIns,
      ratio: pairedRatio(ours, raw),
      atMost: 1.11,
    }
  } finally {
    await service.close()
  }
}

/** Milliseconds in which so many clients together do so much work. */
async function timed(work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = next++; index < signIns; index = next++) await work(index)
    }),
  )
  return performance.now() - begin
}

async function flood(context: BenchContext): Promise<readonly Line[]> {
  const hasher = await createPasswordHasher({ ...production, maxWaitMs: 500 })
  const service = await harness({ hasher })
  try {
    const { token } = await service.signUp('reader@example.com')
    const read = () => post(service, '/sdk/v1/sessions/authenticate', token, { session_duration_minutes: 60 })
    const idle: number[] = []
    const busy: number[] = []
    const refused: number[] = []
    for (let round = 0; round < context.rounds; round++) {
      for (let reads = 0; reads < 40; reads++) idle.push(await latency(read))
      service.advance(61_000)
      let isOver = false
      const flood = Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const begin = performance.now()
          const status = await signIn(service, `flood.${index}@example.com`)
          if (status === 503) refused.push(performance.now() - begin)
        }),
      ).finally(() => {
        isOver = true
      })
      while (!isOver) busy.push(await latency(read))
      await flood
    }
    const [peer, ours] = [p99(idle), p99(busy)]
    const refusal = median(refused)
    return [
      {
        name: 'p99 of another call, flooded',
        unit: 'ms',
        ours,
        peerName: 'idle',
        peer,
        ratio: ours / peer,
        atMost: 2,
      },
      {
        name: 'a refusal, 200 at once',
        unit: 'ms',
        ours: refusal,
        peerName: 'allowed',
        peer: 100,
        ratio: refusal / 100,
        atMost: 1,
      },
    ]
  } finally {
    await service.close()
  }
}

async function signIn(service: Harness, email: string): Promise<number> {
  return (
    await post(service, '/sdk/v1/passwords/authenticate', publicToken, { email, password: goodPassword })
  ).statusCode
}

/** As the service's own harness, without its check of the answer, which is no part of the service. */
function post(service: Harness, url: string, as: string, body: object) {
  networks++
  return service.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Basic ${btoa(`${publicToken}:${as}`)}`,
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
    },
    payload: JSON.stringify(body),
  })
}

let networks = 0

async function latency(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}
