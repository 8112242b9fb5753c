import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { findTrackCorners } from '../corners/find-track-corners.ts'
import { previewSession } from '../preview/preview-session.ts'
import { cornerFigures } from './corner-figures.ts'
import { lapTrack } from './lap-track.ts'

/**
 * A point of a trace as a person reads it: metres from the line (`LapDist`), and the row of the file with them.
 */
type Read = readonly [metres: number, row: number]

/** Figures of one corner, read from the rows of a recorded file. */
interface ReadCorner {
  readonly file: string
  readonly lap: number
  /** Its first is 1. */
  readonly corner: number
  /** First row in which the throttle leaves the value that it held. */
  readonly lift: Read
  /** First row with 5 % of brake after the lift; null if the driver does not brake. */
  readonly brake: Read | null
  /** First row under 5 % of brake before the exit. */
  readonly release: Read | null
  /** Row with the lowest speed of the corner, and that speed. */
  readonly apex: Read
  readonly minKmh: number
  /** First row in which the foot presses the throttle that stays on. */
  readonly throttle: Read
}

const SUMMIT = 'laps/summit-jefferson-4-laps.ibt'
const SUMMIT_2 = 'laps/summit-jefferson-second-driver.ibt'
const WINTON = 'laps/winton-3-laps.ibt'
const RUDSKOGEN = 'laps/rudskogen-1-lap.ibt'
const LIME_ROCK = 'laps/lime-rock-2-laps.ibt'
const MARTINSVILLE = 'real/martinsville-practice-2-laps.ibt'

const READ_BY_HAND: readonly ReadCorner[] = [
  {
    file: SUMMIT,
    lap: 5,
    corner: 1,
    lift: [232.6, 10_040],
    brake: [233.4, 10_041],
    release: [325.5, 10_190],
    apex: [371.1, 10_305],
    minKmh: 75.5,
    throttle: [369.0, 10_299],
  },
  {
    file: SUMMIT,
    lap: 5,
    corner: 5,
    lift: [900.2, 11_380],
    brake: [900.2, 11_380],
    release: [959.4, 11_474],
    apex: [1007.0, 11_567],
    minKmh: 103.7,
    throttle: [1002.7, 11_558],
  },
  {
    file: SUMMIT,
    lap: 5,
    corner: 6,
    lift: [1395.3, 12_143],
    brake: [1401.1, 12_150],
    // Trails the brake at 5 to 15 % for 60 m.
    release: [1554.8, 12_419],
    apex: [1591.3, 12_516],
    minKmh: 72.2,
    throttle: [1589.3, 12_510],
  },
  {
    file: SUMMIT,
    lap: 2,
    corner: 1,
    lift: [241.3, 811],
    brake: [241.4, 811],
    release: [329.3, 960],
    apex: [349.2, 1020],
    minKmh: 74.8,
    // Squeezes it from here to 40 % over 16 m.
    throttle: [340.3, 992],
  },
  {
    file: SUMMIT_2,
    lap: 4,
    corner: 1,
    lift: [231.5, 6941],
    brake: [231.5, 6941],
    release: [334.7, 7120],
    apex: [349.0, 7163],
    minKmh: 74.4,
    throttle: [340.8, 7138],
  },
  {
    file: SUMMIT_2,
    lap: 4,
    corner: 6,
    lift: [1394.9, 9045],
    brake: [1398.1, 9049],
    release: [1567.1, 9350],
    apex: [1587.2, 9408],
    minKmh: 75.9,
    // Rests at 15 to 28 % while it brakes.
    throttle: [1584.5, 9400],
  },
  {
    file: WINTON,
    lap: 4,
    corner: 1,
    lift: [164.5, 11_346],
    brake: [161.0, 11_342],
    release: [244.1, 11_459],
    apex: [276.2, 11_515],
    minKmh: 119.8,
    throttle: [268.6, 11_501],
  },
  {
    file: WINTON,
    lap: 4,
    corner: 10,
    lift: [1995.2, 14_563],
    brake: [1993.0, 14_560],
    // A dab of 7 % ends the braking.
    release: [2062.6, 14_683],
    apex: [2082.8, 14_730],
    minKmh: 88.1,
    throttle: [2078.3, 14_719],
  },
  {
    file: WINTON,
    lap: 4,
    corner: 11,
    lift: [2425.9, 15_290],
    brake: [2422.8, 15_286],
    release: [2508.1, 15_429],
    apex: [2530.2, 15_480],
    minKmh: 89.3,
    throttle: [2526.9, 15_472],
  },
  {
    file: WINTON,
    lap: 2,
    corner: 3,
    lift: [544.7, 1584],
    brake: [549.0, 1590],
    release: [610.1, 1690],
    apex: [622.3, 1715],
    minKmh: 103.1,
    throttle: [614.5, 1699],
  },
  {
    file: RUDSKOGEN,
    lap: 2,
    corner: 1,
    lift: [270.1, 1136],
    brake: [269.3, 1135],
    release: [353.8, 1260],
    apex: [380.2, 1320],
    minKmh: 93.7,
    throttle: [377.3, 1313],
  },
  {
    file: RUDSKOGEN,
    lap: 2,
    corner: 3,
    lift: [1071.9, 2393],
    brake: [1072.8, 2394],
    release: [1182.2, 2531],
    apex: [1367.1, 2844],
    minKmh: 104.9,
    // A blip of a quarter of a second at 1252 m is not it.
    throttle: [1362.4, 2834],
  },
  {
    file: RUDSKOGEN,
    lap: 2,
    corner: 12,
    lift: [2704.5, 5385],
    brake: [2708.5, 5392],
    release: [2747.5, 5467],
    // As slow, within 0.04 km/h, from 2781 to 2784 m.
    apex: [2783.1, 5548],
    minKmh: 90.7,
    // Holds a third for 60 m before it presses more.
    throttle: [2774.8, 5528],
  },
  {
    file: RUDSKOGEN,
    lap: 2,
    corner: 10,
    lift: [2428.7, 4866],
    brake: [2428.7, 4866],
    release: [2464.6, 4928],
    apex: [2520.7, 5045],
    minKmh: 93.7,
    throttle: [2515.6, 5033],
  },
  {
    // Dabs at 561, 600 and 620 m.
    file: LIME_ROCK,
    lap: 3,
    corner: 2,
    lift: [543.5, 4735],
    brake: [561.6, 4762],
    release: [626.9, 4867],
    apex: [664.4, 4940],
    minKmh: 107.6,
    throttle: [656.3, 4923],
  },
  {
    file: LIME_ROCK,
    lap: 2,
    corner: 2,
    lift: [543.3, 1316],
    brake: [551.2, 1328],
    release: [574.9, 1366],
    apex: [633.4, 1473],
    minKmh: 113.0,
    throttle: [625.7, 1458],
  },
  {
    file: LIME_ROCK,
    lap: 3,
    corner: 4,
    lift: [1096.6, 5594],
    brake: [1097.4, 5595],
    release: [1168.7, 5710],
    apex: [1189.8, 5758],
    minKmh: 92.8,
    throttle: [1180.7, 5737],
  },
  {
    file: LIME_ROCK,
    lap: 2,
    corner: 4,
    lift: [1077.3, 2167],
    brake: [1079.7, 2170],
    release: [1185.8, 2353],
    apex: [1193.2, 2371],
    minKmh: 87.2,
    throttle: [1189.5, 2362],
  },
  {
    file: LIME_ROCK,
    lap: 3,
    corner: 6,
    lift: [1821.5, 6699],
    brake: null,
    release: null,
    apex: [1892.2, 6784],
    minKmh: 173.7,
    throttle: [1872.8, 6760],
  },
  {
    file: LIME_ROCK,
    lap: 2,
    corner: 3,
    lift: [747.5, 1677],
    brake: null,
    release: null,
    apex: [785.2, 1739],
    minKmh: 125.3,
    throttle: [772.2, 1717],
  },
  {
    // Turns 1 and 2 of an oval. The foot rests at 2 to 4 % of the brake before it.
    file: MARTINSVILLE,
    lap: 32,
    corner: 1,
    lift: [47.3, 1869],
    brake: [44.6, 1866],
    release: [180.6, 2061],
    apex: [190.8, 2084],
    minKmh: 101.1,
    throttle: [183.3, 2067],
  },
]

const WITHIN_M = 2
const WITHIN_KMH = 0.2

async function fileOf(name: string) {
  const preview = await previewSession(bytesSource(readFileSync(sharedIbt(name))))
  const tracks = preview.laps.flatMap(lap => lapTrack(preview, lap) ?? [])
  return { preview, corners: findTrackCorners(tracks) }
}

const files = new Map<string, ReturnType<typeof fileOf>>()

for (const read of READ_BY_HAND) {
  const { file, lap: number, corner } = read
  test(`finds the figures that a person reads: ${file}, lap ${number}, corner ${corner}`, {
    skip: sharedIbtMissing,
  }, async t => {
    if (!files.has(file)) files.set(file, fileOf(file))
    const { preview, corners } = await files.get(file)!
    const lap = preview.laps.find(({ lap, is_completed }) => is_completed && lap === number)!
    const track = lapTrack(preview, lap)!
    const found = cornerFigures(track, corners, track.lengthM)[corner - 1]!
    for (const [what, at, metres] of [
      ['lift', read.lift, found.liftM],
      ['brake', read.brake, found.brakeM],
      ['release', read.release, found.releaseM],
      ['apex', read.apex, found.apexM],
      ['throttle', read.throttle, found.throttleM],
    ] as const) {
      if (at === null) {
        assert.equal(metres, null, what)
        continue
      }
      // The row proves that the figure was read here.
      assert.ok(Math.abs(preview.lapDist[at[1]]! - at[0]) < 0.1, `${what}: row ${at[1]}`)
      t.diagnostic(`${what}: ${metres?.toFixed(1)}, by hand ${at[0]}`)
      assert.ok(metres !== null && Math.abs(metres - at[0]) <= WITHIN_M, `${what}: ${metres}, not ${at[0]}`)
    }
    const isBraking = (row: number) => preview.brake[row]! >= 0.05
    if (read.brake && read.release) {
      const [brake, release] = [read.brake[1], read.release[1]]
      assert.deepEqual([brake - 1, brake, release - 1, release].map(isBraking), [false, true, true, false])
    }
    const kmh = 3.6 * found.minSpeedMps!
    assert.ok(Math.abs(kmh - read.minKmh) <= WITHIN_KMH, `${kmh} km/h, not ${read.minKmh}`)
  })
}

test('brakes for Turn 2 of Lime Rock at 561 m in lap 3 and at 551 m in lap 2', {
  skip: sharedIbtMissing,
}, async () => {
  const { preview, corners } = await fileOf(LIME_ROCK)
  const brakeM = preview.laps.flatMap(lap => {
    const track = lapTrack(preview, lap)
    return track === null ? [] : Math.round(cornerFigures(track, corners, track.lengthM)[1]!.brakeM!)
  })
  assert.deepEqual(brakeM.sort(), [551, 561])
})
