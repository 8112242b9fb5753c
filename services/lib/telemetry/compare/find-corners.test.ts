import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { previewSession } from '../preview/preview-session.ts'
import { makeSampleSession } from '../sample/make-sample-session.ts'
import { randomFrom } from '../sample/random.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { placeAt } from '../testing/synthetic-laps.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { type Corner, findCorners } from './find-corners.ts'
import { type LapTrack, lapTrack } from './lap-track.ts'

async function sampleTracks(): Promise<LapTrack[]> {
  const preview = await previewSession(bytesSource(makeSampleSession()))
  return preview.laps.flatMap(lap => lapTrack(preview, lap) ?? [])
}

const directions = (corners: readonly Corner[]): string =>
  corners.map(({ direction }) => (direction === 'left' ? 'L' : 'R')).join('')

/** Metres by which two ways through a corner lie over each other, as a share of the longer one. */
function overlap(a: Corner, b: Corner): number {
  const both = Math.min(a.endPct, b.endPct) - Math.max(a.startPct, b.startPct)
  return both / Math.max(a.endPct - a.startPct, b.endPct - b.startPct)
}

function assertSame(
  found: readonly Corner[],
  expected: readonly Corner[],
  least: number,
  name: string,
): void {
  assert.equal(directions(found), directions(expected), name)
  for (const [i, corner] of found.entries()) {
    assert.ok(overlap(corner, expected[i]!) > least, `${name}, ${corner.name}`)
  }
}

/**
 * The made-up circuit as it was laid out: arcs from one place to another in metres of its middle, of which
 * two that follow each other one way are driven as one corner.
 */
const LAID_OUT_M = 3404.6
const ARCS = [
  [317.8, 401.7, 'right'],
  [623.8, 908.1, 'left'],
  [1052.4, 1109.4, 'right'],
  [1292.1, 1473.5, 'left'],
  [1600.9, 1823.6, 'right'],
  [2254.4, 2276.6, 'right'],
  [2289.8, 2317.4, 'left'],
  [2436, 2837.2, 'right'],
  [2935.4, 3013.7, 'left'],
  [3072.1, 3188.3, 'right'],
] as const

test('the corners of the made-up circuit are those it was laid out with, lap after lap', async () => {
  const tracks = await sampleTracks()
  assert.equal(tracks.length, 5)
  for (const track of tracks) {
    const corners = findCorners(track)
    assert.equal(corners.length, ARCS.length)
    for (const [i, [fromM, toM, direction]] of ARCS.entries()) {
      const { name, startPct, endPct, ...corner } = corners[i]!
      const middle = (fromM + toM) / 2 / LAID_OUT_M
      assert.equal(name, `Turn ${i + 1}`)
      assert.equal(corner.direction, direction, name)
      assert.ok(startPct < middle && middle < endPct, `${name}: ${startPct} ${middle} ${endPct}`)
    }
  }
})

test('corners lie in order, without overlap, each apex within its corner', async () => {
  for (const track of await sampleTracks()) {
    let before = 0
    for (const { startPct, apexPct, endPct } of findCorners(track)) {
      assert.ok(before <= startPct && startPct < apexPct && apexPct < endPct && endPct <= 1)
      before = endPct
    }
  }
})

test('every recorded lap of a track, whoever drove it, gives the same corners', {
  skip: sharedIbtMissing,
}, async () => {
  const boards = Map.groupBy(await recordedTracks(sharedIbtFiles()), ({ board }) => board)
  const found: Record<string, string> = {}
  for (const [board, [first, ...others]] of boards) {
    const corners = findCorners(first!.track)
    found[board] = directions(corners)
    for (const { name, track } of others) assertSame(findCorners(track), corners, 0.6, name)
  }
  assert.deepEqual(found, {
    'lime-rock-park/grand-prix/rayff1600': 'RLRRRR',
    'rudskogen-motorsenter/default/rayff1600': 'LRRLRLRRLLLR',
    'summit-point-raceway/jefferson/rayff1600': 'RLRLLL',
    'winton-motor-raceway/national-circuit/rayff1600': 'LRRRLRRLRLRR',
    'langley-speedway/default/skmodified': 'LL',
    'martinsville-speedway/default/skmodified-tour': 'LL',
  })
})

/** The lap with places off by as much as that, each by its own. */
function shaken(track: LapTrack, byM: number): LapTrack {
  const random = randomFrom(5)
  const shake = (values: Float64Array<ArrayBuffer> | undefined, perDegree: number) =>
    values!.map(value => value + (2 * byM * (random() - 0.5)) / perDegree)
  return { ...track, lat: shake(track.lat, 111_195), lon: shake(track.lon, 80_000) }
}

test('places that are off by 10 cm change no corner', async () => {
  const recorded = await recordedTracks(sharedIbtFiles())
  const tracks = [...(await sampleTracks()), ...recorded.map(({ track }) => track)]
  for (const [i, track] of tracks.entries()) {
    assertSame(findCorners(shaken(track, 0.1)), findCorners(track), 0.8, `track ${i}`)
  }
})

const withoutPlaces = ({ lat: _lat, lon: _lon, ...track }: LapTrack): LapTrack => track

test('without places the wheel tells nearly the same corners', async () => {
  for (const track of await sampleTracks()) {
    assertSame(findCorners(withoutPlaces(track)), findCorners(track), 0.7, 'the made-up circuit')
  }
})

test('without places the wheel tells all corners of recorded laps', { skip: sharedIbtMissing }, async () => {
  for (const { name, track } of await recordedTracks(sharedIbtFiles())) {
    const byWheel = findCorners(withoutPlaces(track))
    for (const corner of findCorners(track)) {
      const same = byWheel.find(other => overlap(other, corner) > 0.4 && other.direction === corner.direction)
      assert.ok(same !== undefined, `${name}, ${corner.name}`)
    }
  }
})

test('the braking belongs to the corner', async () => {
  const [track] = await sampleTracks()
  const [first] = findCorners(track!)
  const at = (pct: number): number => Math.round(pct * (track!.pct.length - 1))
  const brakesFrom = track!.brake!.findIndex((brake, i) => brake > 0.05 && i > at(first!.startPct) - 100)
  assert.ok(brakesFrom >= at(first!.startPct) && brakesFrom < at(first!.apexPct))
})

test('a straight has no corners, and a circle is one', () => {
  const north = syntheticTrack({ series: { lat: pct => 50 + pct / 111.195, lon: () => 8 } })
  assert.deepEqual(findCorners(north), [])
  const circle = syntheticTrack({
    series: { lat: pct => placeAt(pct, 1000)[0], lon: pct => placeAt(pct, 1000)[1] },
  })
  const [only, ...more] = findCorners(circle)
  assert.equal(more.length, 0)
  assert.ok(only!.startPct < 0.02 && only!.endPct > 0.98)
})

test('no corners where nothing tells how the lap bends', () => {
  assert.deepEqual(findCorners(syntheticTrack()), [])
  assert.deepEqual(findCorners(syntheticTrack({ series: { lat: () => 50 } })), [])
  const unknown = { lat: () => Number.NaN, lon: () => Number.NaN }
  assert.deepEqual(findCorners(syntheticTrack({ series: unknown })), [])
  assert.deepEqual(findCorners(syntheticTrack({ series: { steering: () => 0 } })), [])
  assert.deepEqual(findCorners(syntheticTrack({ lengthM: null, series: { steering: () => 0.5 } })), [])
})

test('values that no car has make no corners, or some, and no error', () => {
  const odd = [Number.NaN, Infinity, -Infinity, 1e300, -1e300, 1e-300, 0]
  for (const value of odd) {
    for (const lengthM of [1e-300, 1e-3, 1000, 1e5, 1e300, null]) {
      for (const points of [2, 3, 500]) {
        const mixed = (pct: number): number => (pct > 0.4 && pct < 0.6 ? value : pct)
        const series = { lat: mixed, lon: mixed, steering: mixed, speed: mixed }
        for (const track of [
          syntheticTrack({ points, lengthM, series }),
          syntheticTrack({ points, lengthM, series: { steering: mixed, speed: mixed } }),
        ]) {
          for (const { startPct, apexPct, endPct } of findCorners(track)) {
            assert.ok(startPct <= apexPct && apexPct <= endPct)
          }
        }
      }
    }
  }
})
