import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import fc from 'fast-check'
import type { PersonFacts } from '../clients/identity-client.ts'
import { bindDriver, releaseDriver } from '../moderation/ownership.ts'
import { learnPeople } from '../sweeping/learn-people.ts'
import { daysAgo } from '../test/fake-identity.ts'
import { type Harness, harness } from '../test/harness.ts'
import { recordFile } from '../test/record-file.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const people = ['ann', 'ben', 'cleo'] as const
type Name = (typeof people)[number]

const who = fc.constantFrom(...people)
const which = fc.integer({ min: 0, max: 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('save' as const), who, which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), who, which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('verify' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose address' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete account' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bind' as const), who, which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** One random history, with accounts and numbers of its own. */
class World {
  readonly #run = randomUUID()
  readonly verified = new Set<Name>()
  readonly deleted = new Set<Name>()
  /** Number to the accounts that claim it. */
  readonly claims = new Map<string, Set<Name>>()

  idOf(name: Name): string {
    return `${name} ${this.#run}`
  }

  numberOf(index: number): string {
    return String(BigInt(`0x${this.#run.slice(0, 8)}`) * 2n + BigInt(index) + 1n)
  }

  claimsOf(index: number): Set<Name> {
    const number = this.numberOf(index)
    const claims = this.claims.get(number) ?? new Set()
    this.claims.set(number, claims)
    return claims
  }

  async run(one: Step): Promise<void> {
    // A deleted account does nothing, and no number is bound to it.
    if ('who' in one && this.deleted.has(one.who)) return
    switch (one.kind) {
      case 'save':
        return this.#save(one.who, one.which)
      case 'undo': {
        const url = `/api/laps/driver-numbers/iracing/${this.numberOf(one.which)}`
        const answer = await service.call('undoDriverNumber', {
          method: 'DELETE',
          url,
          as: this.idOf(one.who),
        })
        assert.ok(answer.status === 204 || answer.body.code === 'ingest.number_stays')
        this.#noOthers(one.who, JSON.stringify(answer.body))
        if (answer.status === 204) this.claimsOf(one.which).delete(one.who)
        return
      }
      case 'verify':
        this.verified.add(one.who)
        return this.#learn()
      case 'lose address':
        this.verified.delete(one.who)
        return this.#learn()
      case 'delete account':
        await service.forget(this.idOf(one.who))
        this.deleted.add(one.who)
        for (const claims of this.claims.values()) claims.delete(one.who)
        return
      case 'bind': {
        const number = { sim: 'iracing', simUserId: this.numberOf(one.which) }
        if (await bindDriver(service.db, number, this.idOf(one.who))) this.claimsOf(one.which).add(one.who)
        return
      }
      case 'release':
        await releaseDriver(service.db, { sim: 'iracing', simUserId: this.numberOf(one.which) })
        this.claimsOf(one.which).clear()
        return
    }
  }

  /** Saves a file; another account's number never refuses it. */
  async #save(name: Name, index: number): Promise<void> {
    const { ingest } = await recordFile(service.db, this.idOf(name), {
      simUserId: this.numberOf(index),
      laps: [{}],
    })
    assert.equal(ingest.failure_code, null)
    this.#noOthers(name, JSON.stringify(ingest.outcome))
    this.claimsOf(index).add(name)
    return this.#learn()
  }

  /** Does what the sweeper does, with what identity knows in this history. */
  async #learn(): Promise<void> {
    const ids = people.map(name => this.idOf(name))
    await service.db
      .updateTable('person')
      .set({ ask_after: new Date(0) })
      .where('user_id', 'in', ids)
      .execute()
    const identity = {
      findPeople: async (userIds: readonly string[]) =>
        new Map<string, PersonFacts>(
          userIds.map(id => [id, { isVerified: this.#isVerified(id), createdAt: daysAgo(2) }]),
        ),
    }
    const votes = { voteAgeMs: 86_400_000, recheckMs: 60_000 }
    await learnPeople({ db: service.db, identity, votes, logger })
  }

  #isVerified(userId: string): boolean {
    return [...this.verified].some(name => this.idOf(name) === userId)
  }

  async check(): Promise<void> {
    for (const index of [0, 1]) {
      const simUserId = this.numberOf(index)
      const claims = this.claimsOf(index)
      const rows = await service.db
        .selectFrom('sim_driver')
        .select(['user_id', 'is_decided'])
        .where('sim_user_id', '=', simUserId)
        .execute()
      const owner = people.find(name => this.idOf(name) === rows[0]?.user_id) ?? null
      assert.equal(rows.length, claims.size === 0 ? 0 : 1, 'a claimed number is bound to one account')
      assert.equal(owner === null ? 0 : 1, rows.length, 'the account belongs to this history')
      if (owner === null) continue
      assert.ok(claims.has(owner), 'bound to an account that claims it')
      const hasVerified = [...claims].some(name => this.verified.has(name))
      assert.ok(
        !hasVerified || rows[0]!.is_decided || this.verified.has(owner),
        'a verified account comes first',
      )
    }
    for (const name of people) await this.#checkList(name)
  }

  async #checkList(name: Name): Promise<void> {
    const { body } = await service.call('listDriverNumbers', {
      method: 'GET',
      url: '/api/laps/driver-numbers',
      as: this.idOf(name),
    })
    this.#noOthers(name, JSON.stringify(body))
    const listed = (body.driver_numbers as { driver_number: string }[]).map(one => one.driver_number)
    const own = [...this.claims].filter(([, claims]) => claims.has(name)).map(([number]) => number)
    assert.deepEqual(listed.toSorted(), own.toSorted(), 'each account sees only its own numbers')
  }

  #noOthers(name: Name, text: string): void {
    for (const other of people) {
      if (other !== name) assert.ok(!text.includes(this.idOf(other)), 'an answer names another account')
    }
  }
}

const logger = createLogger('ingest', 'silent')

test('binds each number to at most one account in 200 random histories, refuses no file and shows no other account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
      const world = new World()
      for (const one of steps) await world.run(one)
      await world.check()
    }),
    { numRuns: 200, seed: 11 },
  )
})

test('binds a number to one account without deadlock if saves, Undo, deletion and decisions run together', async () => {
  const number = { sim: 'iracing', simUserId: '424200' }
  const users = Array.from({ length: 12 }, (_, index) => `at once ${index}`)
  const setVerified = new Map(users.map((id, index) => [id, index % 2 === 0]))
  let isOver = false
  const identity = {
    findPeople: async (ids: readonly string[]) =>
      new Map(ids.map(id => [id, { isVerified: setVerified.get(id) ?? false, createdAt: daysAgo(2) }])),
  }
  const votes = { voteAgeMs: 0, recheckMs: 100 }
  const learning = [1, 2].map(async () => {
    while (!isOver) await learnPeople({ db: service.db, identity, votes, logger })
  })
  const failures: unknown[] = []
  await Promise.all(
    users.map(async (userId, index) => {
      try {
        for (let file = 0; file < 3; file++) {
          await recordFile(service.db, userId, { simUserId: number.simUserId, laps: [{}] })
          if (index % 3 === 1) {
            const url = `/api/laps/driver-numbers/iracing/${number.simUserId}`
            await service.call('undoDriverNumber', { method: 'DELETE', url, as: userId })
          }
        }
        if (index % 4 === 3) await service.forget(userId)
        if (index === 6) await bindDriver(service.db, number, userId)
      } catch (error) {
        failures.push(error)
      }
    }),
  )
  isOver = true
  await Promise.all(learning)
  assert.deepEqual(failures, [])
  const rows = await service.db
    .selectFrom('sim_driver')
    .select(['user_id', 'is_decided'])
    .where('sim_user_id', '=', number.simUserId)
    .execute()
  assert.deepEqual(rows, [{ user_id: 'at once 6', is_decided: true }])
})
