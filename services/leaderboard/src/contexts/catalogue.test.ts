import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hideDriver, restoreDriver } from '../moderation/hide.ts'
import { aStanding, summit } from '../test/a-standing.ts'
import { type Harness, harness } from '../test/harness.ts'
import { findCars, findTracks } from './catalogue.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
  for (const changes of [
    {
      track_slug: 'spa',
      layout: 'default',
      track_label: 'Spa',
      track_id: 1,
      car_slug: 'gt3-10',
      car_label: 'GT3 10',
    },
    {
      track_slug: 'spa',
      layout: 'default',
      track_label: 'Spa',
      track_id: 1,
      car_slug: 'gt3-9',
      car_label: 'GT3 9',
    },
    {
      track_slug: 'spa',
      layout: 'bike',
      track_label: 'Spa Bike',
      track_id: 2,
      car_slug: 'f4',
      car_label: 'f4',
    },
    {
      track_slug: 'imola',
      layout: 'default',
      track_label: 'autodromo Imola',
      track_id: 3,
      car_slug: 'f4',
      car_label: 'f4',
    },
  ]) {
    await service.put(aStanding('user-a', 90_000, { combination: { ...summit, ...changes } }))
  }
})

after(() => service.close())

const tracks = async () => (await service.get('listTracks', '/api/leaderboards/tracks', 'user-b')).body.tracks
const cars = async (track: string, more = '') =>
  (
    await service.get(
      'listCars',
      `/api/leaderboards/tracks/${encodeURIComponent(track)}/cars${more}`,
      'user-b',
    )
  ).body.cars
const contextId = (track: string, layout: string, car: string) =>
  service.get(
    'getContextId',
    `/api/leaderboards/context-id?sim=iracing&track_slug=${track}&layout=${layout}&car_slug=${car}`,
    'user-b',
  )

test('lists tracks by layout in the order of their labels, and ignores case', async () => {
  assert.deepEqual(await tracks(), [
    { sim: 'iracing', slug: 'imola', layout: 'default', label: 'autodromo Imola' },
    { sim: 'iracing', slug: 'spa', layout: 'default', label: 'Spa' },
    { sim: 'iracing', slug: 'spa', layout: 'bike', label: 'Spa Bike' },
  ])
})

test('lists the tracks and cars with the most entries if there are more than the limit', async () => {
  const db = service.db
  const more = { ...summit, track_slug: 'zolder', track_label: 'Zolder', track_id: 6 }
  const rare = { ...more, car_slug: 'a-car', car_label: 'A car' }
  const driven = { ...more, car_slug: 'z-car', car_label: 'Z car' }
  await service.put(aStanding('user-a', 90_000, { combination: rare }))
  for (const driver of ['user-a', 'user-b', 'user-c']) {
    await service.put(aStanding(driver, 90_000, { combination: driven }))
  }
  assert.deepEqual(await findTracks(db, 1), [
    { sim: 'iracing', slug: 'zolder', layout: 'default', label: 'Zolder' },
  ])
  const of = { sim: null, slug: 'zolder', layout: null }
  assert.deepEqual(await findCars(db, of, 1), [{ slug: 'z-car', label: 'Z car' }])
  const gone = { version: 2, complete: null, clean: null }
  for (const driver of ['user-a', 'user-b', 'user-c']) {
    await service.put(aStanding(driver, 1, { combination: driven, ...gone }))
  }
  await service.put(aStanding('user-a', 1, { combination: rare, ...gone }))
})

test('lists a car by its first label, even if another layout has another one', async () => {
  const combination = {
    ...summit,
    track_slug: 'spa',
    car_slug: 'gt3-9',
    car_label: 'AAA',
    track_label: 'Spa Old',
  }
  const other = { ...combination, layout: 'old', track_id: 7 }
  await service.put(aStanding('user-a', 90_000, { combination: other }))
  assert.deepEqual(
    (await cars('spa')).find(({ slug }: { readonly slug: string }) => slug === 'gt3-9'),
    { slug: 'gt3-9', label: 'GT3 9' },
  )
  await service.put(aStanding('user-a', 1, { combination: other, version: 2, complete: null, clean: null }))
})

test('lists cars of all layouts or of one, with 9 before 10', async () => {
  const labels = (list: readonly { label: string }[]) => list.map(({ label }) => label)
  assert.deepEqual(labels(await cars('spa')), ['f4', 'GT3 9', 'GT3 10'])
  assert.deepEqual(labels(await cars('spa', '?layout=default&sim=iracing')), ['GT3 9', 'GT3 10'])
  assert.deepEqual(labels(await cars('spa', '?sim=other')), [])
})

for (const track of ['nowhere', '...', 'a/b', "x' or 1=1 --", '*', '鈴鹿', '\0']) {
  test(`lists no cars for a track "${track}"`, async () => {
    assert.deepEqual(await cars(track), [])
  })
}

test('answers 400 for a track of 10,000 characters', async () => {
  const url = `/api/leaderboards/tracks/${'a'.repeat(10_000)}/cars`
  const answer = await service.get('listCars', url, 'user-b')
  assert.deepEqual([answer.status, answer.body.code], [400, 'leaderboard.bad_request'])
})

test('lists a new combination immediately', async () => {
  assert.equal((await contextId('monza', 'default', 'f4')).status, 404)
  const combination = { ...summit, track_slug: 'monza', track_label: 'Monza', track_id: 4, car_slug: 'f4' }
  const { context_id } = await service.put(aStanding('user-a', 90_000, { combination }))
  assert.deepEqual((await contextId('monza', 'default', 'f4')).body, { ok: true, context_id })
  assert.equal((await tracks()).length, 4)
})

test('removes a combination without laps from the lists, and adds it again with a lap', async () => {
  const combination = { ...summit, track_slug: 'laguna', track_label: 'Laguna', track_id: 5, car_slug: 'f4' }
  await service.put(aStanding('user-b', 90_000, { combination }))
  assert.ok((await tracks()).some((track: { slug: string }) => track.slug === 'laguna'))
  const goneAtOnce = async () => {
    assert.ok(!(await tracks()).some((track: { slug: string }) => track.slug === 'laguna'))
    assert.deepEqual(await cars('laguna'), [])
    assert.equal((await contextId('laguna', 'default', 'f4')).body.code, 'leaderboard.no_laps')
    const page = await service.get(
      'getPage',
      '/api/leaderboards?sim=iracing&track_slug=laguna&layout=default&car_slug=f4',
      'user-b',
    )
    assert.equal(page.body.code, 'leaderboard.no_laps')
  }
  await service.deps.windows.drop(await hideDriver(service.db, 'user-b'))
  await goneAtOnce()
  await service.deps.windows.drop(await restoreDriver(service.db, 'user-b'))
  assert.equal((await contextId('laguna', 'default', 'f4')).status, 200)
  await service.put(aStanding('user-b', 1, { combination, version: 2, complete: null, clean: null }))
  await goneAtOnce()
})

test('lists a track and a car with a banned word under other names, for their drivers too', async () => {
  await service.put(
    aStanding('user-a', 90_000, {
      combination: {
        ...summit,
        track_slug: 'shithead-ring',
        layout: 'default',
        track_label: 'Shithead Ring',
        track_id: 77,
        car_slug: 'coupe',
        car_label: 'Fuck Coupe',
      },
    }),
  )
  const listed = (await tracks()).find(({ slug }: { slug: string }) => slug === 'shithead-ring')
  assert.equal(listed?.label, 'Unnamed track')
  assert.deepEqual(await cars('shithead-ring'), [{ slug: 'coupe', label: 'Coupe' }])
})
