import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { type Answer, type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const get = (track: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('getTrackCorners', { method: 'GET', url: `/api/tracks/${track}/corners`, headers })

async function untilThere(track: string): Promise<Answer> {
  await until(async () => (await get(track)).status === 200, 'the corners to be found')
  return get(track)
}

/** Waits until identity has answered that the driver has a vote. */
async function untilSettled(track: string): Promise<Answer> {
  const [, track_slug, layout] = track.split('/') as [string, string, string]
  await until(async () => {
    const settled = await service.db
      .selectFrom('track_corners')
      .innerJoin('combination', 'combination.id', 'track_corners.track_id')
      .select('combination.id')
      .where('track_slug', '=', track_slug)
      .where('layout', '=', layout)
      .where('is_provisional', '=', false)
      .execute()
    return settled.length > 0
  }, 'the corners to be settled')
  return get(track)
}

const cornersOf = ({ body }: Answer) => body.corners as readonly Readonly<Record<string, unknown>>[]

test('answers 404 for a track that nobody has driven', async () => {
  const { status, body } = await get('iracing/nowhere/default')
  assert.deepEqual([status, body.code], [404, 'ingest.corners_not_found'])
})

test('shows an anonymous client the corners of a track and nothing about its drivers', async () => {
  await service.uploadAndIngest('canary-user', aFile({ driverId: 77 }))
  const answer = await untilThere('iracing/round-ring/default')
  assert.equal(answer.headers['cache-control'], 'public, max-age=300')
  assert.equal(answer.body.length_m, 700)
  const [only, ...more] = cornersOf(answer)
  assert.equal(more.length, 0)
  assert.deepEqual([only!.number, only!.name, only!.kind], ['1', null, 'turn'])
  assert.ok(Math.abs(Number(only!.end_m) - 700 * Number(only!.end_pct)) < 0.06)
  assert.doesNotMatch(JSON.stringify(answer.body), /canary|user|lap_id|77\b/i)
})

test('answers 304 to a client that has the corners', async () => {
  const { headers } = await untilThere('iracing/round-ring/default')
  const etag = String(headers.etag)
  const known = await get('iracing/round-ring/default', { 'if-none-match': etag })
  assert.deepEqual([known.status, known.bytes.byteLength, known.headers.etag], [304, 0, etag])
  assert.equal((await get('iracing/round-ring/default', { 'if-none-match': '"other"' })).status, 200)
})

test('finds the corners of a track by its other name', async () => {
  const known = await service.db
    .selectFrom('combination')
    .selectAll()
    .where('track_slug', '=', 'round-ring')
    .executeTakeFirstOrThrow()
  const { id: _id, created_at: _at, ...names } = known
  await service.db
    .insertInto('combination')
    .values({ ...names, track_slug: 'round-ring-2008', track_label: 'Round Ring 2008' })
    .execute()
  const own = await untilThere('iracing/round-ring/default')
  const other = await get('iracing/round-ring-2008/default')
  assert.deepEqual(other.body, own.body)
  assert.equal(other.body.track_slug, 'round-ring')
})

for (const track of [
  'iracing/a%00b/default',
  "iracing/x'%20or%20'1/default",
  `iracing/${'a'.repeat(101)}/default`,
]) {
  test(`rejects the track name ${track.slice(0, 24)}`, async () => {
    const { status, body } = await get(track)
    assert.deepEqual([status, body.code], [400, 'ingest.bad_request'])
  })
}

test('finds one set of corners for two drivers of a recorded track, and the second changes no number', {
  skip: sharedIbtMissing,
}, async () => {
  const track = 'iracing/summit-point-raceway/jefferson'
  await service.uploadAndIngest('first', readFileSync(sharedIbt('laps/summit-jefferson-4-laps.ibt')))
  const before = cornersOf(await untilSettled(track))
  assert.equal(before.map(({ number }) => number).join(' '), '1 2 3 4 5 6')
  await service.uploadAndIngest('second', readFileSync(sharedIbt('laps/summit-jefferson-second-driver.ibt')))
  await until(async () => {
    const open = await service.db
      .selectFrom('track_sighting')
      .select('user_id')
      .where('is_counted', '=', false)
      .execute()
    return open.length === 0
  }, 'the sighting of the second driver to be counted')
  const idsOf = (corners: readonly Readonly<Record<string, unknown>>[]) =>
    corners.map(({ id, number, direction }) => [id, number, direction])
  assert.deepEqual(idsOf(cornersOf(await get(track))), idsOf(before))
})

test('finds two ends on an oval, and the known names of a circuit', { skip: sharedIbtMissing }, async () => {
  await service.uploadAndIngest('oval', readFileSync(sharedIbt('real/martinsville-practice-2-laps.ibt')))
  // The same driver drove both circuits.
  await service.uploadAndIngest('first', readFileSync(sharedIbt('laps/lime-rock-2-laps.ibt')))
  const oval = cornersOf(await untilThere('iracing/martinsville-speedway/default'))
  assert.deepEqual(
    oval.map(({ number, kind }) => [number, kind]),
    [
      ['1-2', 'oval_end'],
      ['3-4', 'oval_end'],
    ],
  )
  const circuit = cornersOf(await untilThere('iracing/lime-rock-park/grand-prix'))
  assert.equal(circuit[0]!.name, 'Big Bend')
  assert.equal(circuit[5]!.name, 'The Downhill')
})
