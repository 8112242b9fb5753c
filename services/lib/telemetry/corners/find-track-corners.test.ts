import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@lapwing/simulator/random'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { type LapTrack, lapTrack } from '../compare/lap-track.ts'
import { previewSession } from '../preview/preview-session.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { positionAt } from '../testing/synthetic-laps.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { type FoundCorner, MAX_CORNERS, numberCorners } from './corner.ts'
import { findTrackCorners } from './find-track-corners.ts'

async function sampleTracks(): Promise<LapTrack[]> {
  const preview = await previewSession(bytesSource(makeSampleSession()))
  return preview.laps.flatMap(lap => lapTrack(preview, lap) ?? [])
}

/** Returns the corners of one lap alone. */
const findCorners = (track: LapTrack): readonly FoundCorner[] => findTrackCorners([track])

const directions = (corners: readonly FoundCorner[]): string =>
  corners.map(({ direction }) => (direction === 'left' ? 'L' : 'R')).join('')

/** Returns the overlap of two corners as a share of the longer one. */
function overlap(a: FoundCorner, b: FoundCorner): number {
  const both = Math.min(a.endPct, b.endPct) - Math.max(a.startPct, b.startPct)
  return both / Math.max(a.endPct - a.startPct, b.endPct - b.startPct)
}

function assertSame(
  found: readonly FoundCorner[],
  expected: readonly FoundCorner[],
  least: number,
  name: string,
): void {
  assert.equal(directions(found), directions(expected), name)
  for (const [i, corner] of found.entries()) {
    assert.ok(overlap(corner, expected[i]!) > least, `${name}, corner ${i + 1}`)
  }
}

/**
 * The made-up circuit as designed: arcs from one point to another in metres of its middle. Two arcs that
 * follow each other one way are driven as one corner.
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

test('finds the designed corners of the made-up circuit in every lap', async () => {
  const tracks = await sampleTracks()
  assert.equal(tracks.length, 5)
  for (const track of tracks) {
    const corners = findCorners(track)
    assert.equal(corners.length, ARCS.length)
    for (const [i, [fromM, toM, direction]] of ARCS.entries()) {
      const { startPct, endPct, direction: way } = corners[i]!
      const middle = (fromM + toM) / 2 / LAID_OUT_M
      const name = `corner ${i + 1}`
      assert.equal(way, direction, name)
      assert.ok(startPct < middle && middle < endPct, `${name}: ${startPct} ${middle} ${endPct}`)
    }
  }
})

test('returns corners in order, without overlap, each apex within its corner', async () => {
  for (const track of await sampleTracks()) {
    let before = 0
    for (const { startPct, apexPct, endPct } of findCorners(track)) {
      assert.ok(before <= startPct && startPct < apexPct && apexPct < endPct && endPct <= 1)
      before = endPct
    }
  }
})

test('finds the same corners in every recorded lap of a track, for any driver', {
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

/** Returns the lap with a random error of at most `byM` in each position. */
function shaken(track: LapTrack, byM: number): LapTrack {
  const random = randomFrom(5)
  const shake = (values: Float64Array<ArrayBuffer> | undefined, perDegree: number) =>
    values!.map(value => value + (2 * byM * (random() - 0.5)) / perDegree)
  return { ...track, lat: shake(track.lat, 111_195), lon: shake(track.lon, 80_000) }
}

test('finds in all laps of a track together the corners of each lap, in any order', {
  skip: sharedIbtMissing,
}, async () => {
  const tracks = Map.groupBy(await recordedTracks(sharedIbtFiles()), ({ board }) => board)
  for (const [board, laps] of tracks) {
    const all = laps.map(({ track }) => track)
    const together = findTrackCorners(all)
    assert.deepEqual(findTrackCorners(all.toReversed()), together, board)
    for (const [i, track] of all.entries()) {
      assertSame(findTrackCorners([track]), together, 0.6, laps[i]!.name)
      assertSame(
        findTrackCorners(all.filter(other => other !== track || all.length === 1)),
        together,
        0.6,
        board,
      )
    }
  }
})

test('moves no corner because of a single lap of three', async () => {
  const [first, second, third] = await sampleTracks()
  const swerving = { ...third!, lat: third!.lat!.map((lat, i) => lat + 1e-4 * Math.sin(i / 9)) }
  assert.notDeepEqual(directions(findCorners(swerving)), directions(findCorners(third!)))
  assertSame(findTrackCorners([first!, second!, swerving]), findCorners(first!), 0.8, 'the made-up circuit')
})

test('ignores a lap without positions beside laps with positions', async () => {
  const [first, second] = await sampleTracks()
  assert.deepEqual(findTrackCorners([first!, withoutPositions(second!)]), findTrackCorners([first!]))
})

test('finds as many turns as circuits publish', { skip: sharedIbtMissing }, async () => {
  const recorded = Map.groupBy(await recordedTracks(sharedIbtFiles()), ({ board }) => board)
  const numbersOf = (board: string) =>
    numberCorners(findTrackCorners(recorded.get(board)!.map(({ track }) => track))).map(
      ({ number }) => number,
    )
  // Winton has twelve turns. The ovals have four, two at each end, which drivers take as one.
  assert.deepEqual(
    numbersOf('winton-motor-raceway/national-circuit/rayff1600'),
    Array.from({ length: 12 }, (_, i) => String(i + 1)),
  )
  assert.deepEqual(numbersOf('langley-speedway/default/skmodified'), ['1-2', '3-4'])
  assert.deepEqual(numbersOf('martinsville-speedway/default/skmodified-tour'), ['1-2', '3-4'])
})

/** Returns a road of straights and arcs of 100 m radius, driven to the left from the middle of a straight. */
function road(parts: readonly { readonly straightM?: number; readonly degrees?: number }[]): LapTrack {
  const radiusM = 100
  const lat: number[] = []
  const lon: number[] = []
  let [x, y, heading] = [0, 0, 0]
  for (const { straightM = 0, degrees = 0 } of parts) {
    const turn = (degrees * Math.PI) / 180
    const lengthM = Math.round(straightM + radiusM * Math.abs(turn))
    for (let m = 0; m < lengthM; m++) {
      lat.push(y / 111_195)
      lon.push(x / 111_195)
      x += Math.cos(heading)
      y += Math.sin(heading)
      heading += turn / lengthM
    }
  }
  const points = lat.length
  const at = (values: readonly number[]) => (pct: number) => values[Math.round(pct * (points - 1))]!
  return syntheticTrack({ points, lengthM: points - 1, series: { lat: at(lat), lon: at(lon) } })
}

for (const [name, parts, numbers] of [
  ['an oval', [300, 180, 600, 180, 300], '1-2 3-4'],
  ['an oval whose straight bends at the line', [20, 20, 150, 160, 400, 160, 150, 20], '1-2 3-4'],
  [
    'an oval of four corners with short straights between them',
    [200, 90, 150, 90, 400, 90, 150, 90],
    '1 2 3 4',
  ],
  ['a triangle', [300, 120, 500, 120, 500, 120, 200], '1 2 3'],
  ['two hairpins with a chicane', [300, 180, 200, -40, 60, 40, 200, 180, 300], '1 2 3 4'],
] as const) {
  test(`finds the turns ${numbers} of ${name}`, () => {
    const found = findTrackCorners([
      road(parts.map((part, i) => (i % 2 === 0 ? { straightM: part } : { degrees: part }))),
    ])
    assert.deepEqual(
      numberCorners(found)
        .map(({ number }) => number)
        .join(' '),
      numbers,
    )
  })
}

test('returns at most MAX_CORNERS for a lap that swerves all the way', () => {
  const swerving = road(
    Array.from({ length: 1200 }, (_, i) =>
      i % 2 === 0 ? { straightM: 5 } : { degrees: i % 4 === 1 ? 60 : -60 },
    ),
  )
  assert.equal(findTrackCorners([swerving]).length, MAX_CORNERS)
})

test('finds the same corners with positions that are off by 10 cm', async () => {
  const recorded = await recordedTracks(sharedIbtFiles())
  const tracks = [...(await sampleTracks()), ...recorded.map(({ track }) => track)]
  for (const [i, track] of tracks.entries()) {
    assertSame(findCorners(shaken(track, 0.1)), findCorners(track), 0.8, `track ${i}`)
  }
})

const withoutPositions = ({ lat: _lat, lon: _lon, ...track }: LapTrack): LapTrack => track

test('finds nearly the same corners by the steering alone', async () => {
  for (const track of await sampleTracks()) {
    assertSame(findCorners(withoutPositions(track)), findCorners(track), 0.7, 'the made-up circuit')
  }
})

test('finds all corners of recorded laps by the steering alone', { skip: sharedIbtMissing }, async () => {
  for (const { name, track } of await recordedTracks(sharedIbtFiles())) {
    const byWheel = findCorners(withoutPositions(track))
    for (const [i, corner] of findCorners(track).entries()) {
      const same = byWheel.find(other => overlap(other, corner) > 0.4 && other.direction === corner.direction)
      assert.ok(same !== undefined, `${name}, corner ${i + 1}`)
    }
  }
})

test('starts a corner where its braking starts', async () => {
  const [track] = await sampleTracks()
  const [first] = findCorners(track!)
  const at = (pct: number): number => Math.round(pct * (track!.pct.length - 1))
  const brakesFrom = track!.brake!.findIndex((brake, i) => brake > 0.05 && i > at(first!.startPct) - 100)
  assert.ok(brakesFrom >= at(first!.startPct) && brakesFrom < at(first!.apexPct))
})

test('finds no corner on a straight, and one on a circle', () => {
  const north = syntheticTrack({ series: { lat: pct => 50 + pct / 111.195, lon: () => 8 } })
  assert.deepEqual(findCorners(north), [])
  const circle = syntheticTrack({
    series: { lat: pct => positionAt(pct, 1000)[0], lon: pct => positionAt(pct, 1000)[1] },
  })
  const [only, ...more] = findCorners(circle)
  assert.equal(more.length, 0)
  assert.ok(only!.startPct < 0.02 && only!.endPct > 0.98)
})

test('finds no corners without positions and steering', () => {
  assert.deepEqual(findCorners(syntheticTrack()), [])
  assert.deepEqual(findCorners(syntheticTrack({ series: { lat: () => 50 } })), [])
  const unknown = { lat: () => Number.NaN, lon: () => Number.NaN }
  assert.deepEqual(findCorners(syntheticTrack({ series: unknown })), [])
  assert.deepEqual(findCorners(syntheticTrack({ series: { steering: () => 0 } })), [])
  assert.deepEqual(findCorners(syntheticTrack({ lengthM: null, series: { steering: () => 0.5 } })), [])
})

test('returns no error for values that no car has', () => {
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
