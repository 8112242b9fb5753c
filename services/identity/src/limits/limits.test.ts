import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { IdentityError } from '../errors.ts'
import { credentialsOf } from '../passwords/password.repository.ts'
import { type Harness, harness } from '../test/harness.ts'
import { createLimits } from './limits.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

/** Makes concurrent tries, each at its own clock time. Returns which of them passed. */
async function tryAt(account: string, times: readonly number[]): Promise<readonly boolean[]> {
  const clock = times.values()
  const limits = createLimits({
    ...service.deps,
    now: () => new Date(clock.next().value!),
    newAccountsPerHour: 20,
    texts: service.deps.settings.texts.limits,
  })
  const tried = { ipAddress: networkOfAccount(account), accountKey: account, browser: null }
  return Promise.all(
    times.map(() =>
      limits.countSignIn(tried, credentialsOf(account)).then(
        () => true,
        error => {
          assert.ok(error instanceof IdentityError)
          assert.match(error.code, /^(user_lock_limit_reached|too_many_requests)$/)
          return false
        },
      ),
    ),
  )
}

/** One network an account, so that earlier tries do not reach a network's limit. */
const networks = new Map<string, string>()
function networkOfAccount(account: string): string {
  const known = networks.get(account) ?? `10.1.0.${networks.size}`
  networks.set(account, known)
  return known
}

const begin = Date.parse('2026-03-01T12:00:00Z')
let accounts = 0

test('passes exactly ten of fifty tries from one network, in any order of their times', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Clocks of several processes, at most half a minute apart.
      fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 50, maxLength: 50 }),
      async offsets => {
        const start = begin + accounts * 3_600_000
        const passed = await tryAt(
          `order.${accounts++}@example.com`,
          offsets.map(offset => start + offset),
        )
        assert.equal(passed.filter(Boolean).length, 10)
      },
    ),
    { numRuns: 30 },
  )
})

test('counts one request as the first, in any order of arrival', async () => {
  const isFirst = (atMs: number) =>
    service.db
      .transaction()
      .execute(trx => service.deps.limits.isFirst(trx, 'mail test', new Date(begin + atMs)))
  assert.deepEqual([await isFirst(5), await isFirst(0), await isFirst(10)], [true, false, false])
})

test('restarts a window that a clock far ahead began', async () => {
  const passed = await tryAt('ahead@example.com', [begin + 3_600_000, ...Array<number>(10).fill(begin)])
  assert.deepEqual(passed, Array(11).fill(true))
})

test('passes exactly ten of fifty concurrent tries if several processes count with clocks of their own', async () => {
  const processes = await Promise.all(Array.from({ length: 2 }, () => startTrying(service.databaseUrl)))
  try {
    for (let round = 0; round < 20; round++) {
      const accountKey = `processes.${round}@example.com`
      const answers = processes.map(child => once(child, 'message'))
      for (const child of processes) {
        child.send({ accountKey, tries: 25, ipAddress: `10.2.0.${round}` })
      }
      const passed = (await Promise.all(answers)).map(([count]) => count as number)
      assert.equal(passed[0]! + passed[1]!, 10, `round ${round}`)
    }
  } finally {
    await Promise.all(
      processes.map(child => {
        const exit = once(child, 'exit')
        child.disconnect()
        return exit
      }),
    )
  }
})

async function startTrying(databaseUrl: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '../test/try-many-times.ts'), [databaseUrl])
  await once(child, 'message')
  return child
}
