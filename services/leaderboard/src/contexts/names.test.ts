import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { aStanding, summit } from '../test/a-standing.ts'
import { type Harness, harness, type Page } from '../test/harness.ts'
import { createContexts } from './contexts.ts'

let service: Harness
let nowMs = 0

before(async () => {
  service = await harness({ poolSize: 40, now: () => nowMs })
})

after(() => service.close())

/** Returns a combination on a track with that own name. `alias` is the name in the file if it differs. */
const track = (slug: string, alias: string | null = null) => ({
  ...summit,
  track_slug: slug,
  track_label: slug,
  alias_slug: alias,
})
const put = (userId: string, combination: typeof summit, version = 1) =>
  service.put(aStanding(userId, 90_000, { combination, version }))

const addressOf = ({ sim, track_slug, layout, car_slug }: typeof summit) =>
  `sim=${sim}&track_slug=${track_slug}&layout=${layout}&car_slug=${car_slug}`
async function contextOf(combination: typeof summit): Promise<number | null> {
  const url = `/api/leaderboards/context-id?${addressOf(combination)}`
  return (await service.get('getContextId', url, 'user-reader')).body.context_id ?? null
}
async function driversOf(combination: typeof summit): Promise<readonly string[]> {
  const { body } = await service.get<Page>(
    'getPage',
    `/api/leaderboards?${addressOf(combination)}`,
    'user-reader',
  )
  return body.rows?.map(row => row.user_id) ?? []
}
async function carsOf(slug: string): Promise<readonly string[]> {
  const { body } = await service.get('listCars', `/api/leaderboards/tracks/${slug}/cars`, 'user-reader')
  return body.cars.map((car: { readonly slug: string }) => car.slug)
}
async function tracksLike(start: string): Promise<readonly string[]> {
  const { body } = await service.get('listTracks', '/api/leaderboards/tracks', 'user-reader')
  return body.tracks
    .map(({ slug }: { readonly slug: string }) => slug)
    .filter((slug: string) => slug.startsWith(start))
}

test('finds a track by its own name and its aliases, and lists it by its own', async () => {
  const own = { ...track('spa'), car_slug: 'f4' }
  const { context_id } = await put('user-a', own)
  for (const [user, alias] of [
    ['user-b', 'spa-2025'],
    ['user-c', 'spa-2026'],
    ['user-d', null],
    ['user-e', 'spa'],
  ] as const) {
    assert.equal((await put(user, { ...own, alias_slug: alias })).context_id, context_id)
  }
  for (const slug of ['spa', 'spa-2025', 'spa-2026']) {
    assert.equal(await contextOf({ ...own, track_slug: slug }), context_id)
    assert.equal((await driversOf({ ...own, track_slug: slug })).length, 5)
    assert.deepEqual(await carsOf(slug), ['f4'])
  }
  assert.deepEqual(await tracksLike('spa'), ['spa'])
})

test('finds a track by its alias only in the same simulator and layout', async () => {
  const own = track('imola', 'imola-old')
  await put('user-a', own)
  for (const other of [{ layout: 'short' }, { sim: 'other' }]) {
    assert.equal(await contextOf({ ...own, track_slug: 'imola-old', ...other }), null)
  }
})

test('ignores an alias, even a forged one, whose name is in use already', async () => {
  const known = track('monza', 'monza-old')
  const { context_id } = await put('user-a', known)
  for (const taken of ['monza', 'monza-old']) {
    const forged = await put('user-forger', track(`forged-${taken}`, taken))
    assert.notEqual(forged.context_id, context_id)
  }
  // Both a process with a warm cache and a new process find the right board.
  nowMs += 5_000
  for (const contexts of [service.deps.contexts, createContexts(service.db)]) {
    for (const trackSlug of ['monza', 'monza-old']) {
      const found = await contexts.find({
        sim: known.sim,
        track_slug: trackSlug,
        layout: known.layout,
        car_slug: known.car_slug,
      })
      assert.equal(found, context_id)
    }
  }
  for (const slug of ['monza', 'monza-old']) {
    assert.deepEqual(await driversOf({ ...known, track_slug: slug }), ['user-a'])
  }
})

test('gives a track its own name back from an alias: immediately in lists, within 5 s on boards', async () => {
  const other = { ...track('zolder', 'zandvoort'), car_slug: 'gt3' }
  const { context_id } = await put('user-forger', other)
  const own = { ...track('zandvoort'), car_slug: 'gt3' }
  assert.equal(await contextOf(own), context_id)
  assert.deepEqual(await driversOf(own), ['user-forger'])
  assert.deepEqual(await carsOf('zandvoort'), ['gt3'])
  assert.deepEqual(await tracksLike('zandvoort'), [])

  const real = { ...own, car_slug: 'f4' }
  const taken = await put('user-a', real)
  assert.notEqual(taken.context_id, context_id)
  assert.deepEqual(await carsOf('zandvoort'), ['f4'])
  assert.deepEqual(await tracksLike('zandvoort'), ['zandvoort'])
  assert.equal(await contextOf(real), taken.context_id)
  nowMs += 5_000
  assert.equal(await contextOf(own), null)
  assert.deepEqual(await driversOf(own), [])
  assert.deepEqual(await driversOf(real), ['user-a'])
  // The other track keeps its own name and boards, and cannot get the alias again.
  await put('user-forger', other, 2)
  nowMs += 5_000
  assert.deepEqual(await driversOf({ ...own, track_slug: 'zolder' }), ['user-forger'])
  assert.equal(await contextOf(own), null)
})

test('looks the name of a busy board up again after 5 s', async () => {
  const own = { ...track('snetterton'), car_slug: 'f4' }
  const other = await put('user-forger', { ...own, track_slug: 'silverstone', alias_slug: 'snetterton' })
  assert.equal(await contextOf(own), other.context_id)
  const { context_id } = await put('user-a', own)
  for (let asked = 0; asked < 5; asked++) {
    nowMs += 1_000
    await contextOf(own)
  }
  assert.equal(await contextOf(own), context_id)
})

test('updates the lists for a standing that changes only a name', async () => {
  const own = { ...track('laguna'), car_slug: 'f4' }
  await put('user-a', own)
  assert.deepEqual(await carsOf('laguna-seca'), [])
  await put('user-a', { ...own, alias_slug: 'laguna-seca' }, 2)
  assert.deepEqual(await carsOf('laguna-seca'), ['f4'])
  // The same holds for the standing of a driver without a lap, and of a deleted account.
  await put('user-a', { ...own, alias_slug: 'laguna-old' }, 3)
  assert.deepEqual(await carsOf('laguna-old'), ['f4'])
  const none = { complete: null, clean: null }
  await service.put(aStanding('user-b', 1, { combination: track('laguna-seca'), ...none }))
  assert.deepEqual(await carsOf('laguna-seca'), [])
  await service.publish({
    case: 'accountDeleted',
    value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId: 'user-gone' },
  })
  assert.equal((await put('user-gone', track('laguna-old'))).applied, false)
  assert.deepEqual(await carsOf('laguna-old'), [])
})

/** Standings that arrive at the same time and use the five names of one world. */
const claims = fc.array(fc.record({ own: fc.nat(4), alias: fc.option(fc.nat(4)) }), {
  minLength: 1,
  maxLength: 6,
})

test('keeps own names with their tracks and aliases with their first track, in every order of standings', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(claims, { minLength: 1, maxLength: 4 }), async waves => {
      const world = randomBytes(6).toString('hex')
      const nameOf = (i: number) => `${world}-${i}`
      /** Contexts of the tracks, and the contexts of the names after the previous wave. */
      const tracks = new Map<number, number>()
      let ledTo = new Map<number, number>()
      let sent = 0
      for (const wave of waves) {
        const answers = await Promise.all(
          wave.map(({ own, alias }) =>
            put(`user-${world}-${sent++}`, track(nameOf(own), alias === null ? null : nameOf(alias))),
          ),
        )
        for (const [i, { own }] of wave.entries()) {
          const contextId = answers[i]!.context_id
          assert.equal(contextId, tracks.get(own) ?? contextId)
          tracks.set(own, contextId)
        }
        nowMs += 5_000
        const leads = new Map<number, number>()
        for (let name = 0; name < 5; name++) {
          const found = await contextOf(track(nameOf(name)))
          const may = tracks.has(name)
            ? [tracks.get(name)!]
            : ledTo.has(name)
              ? [ledTo.get(name)!]
              : wave.filter(({ alias }) => alias === name).map(({ own }) => tracks.get(own)!)
          assert.ok(may.length === 0 ? found === null : may.includes(found!), `${name} leads to ${found}`)
          if (found !== null) leads.set(name, found)
        }
        ledTo = leads
      }
      assert.equal(new Set(tracks.values()).size, tracks.size)
    }),
    { numRuns: 60 },
  )
})
