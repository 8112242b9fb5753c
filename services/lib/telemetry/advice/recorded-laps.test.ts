import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { lapTrack } from '../compare/lap-track.ts'
import { numberCorners } from '../corners/corner.ts'
import { findTrackCorners } from '../corners/find-track-corners.ts'
import { nameCorners } from '../corners/name-corners.ts'
import { previewSession } from '../preview/preview-session.ts'
import { chooseAdvice, MOST_ADVICE } from './choose-advice.ts'
import { type AdviceAction, findingsOf, LEAST_GAIN_MS } from './findings.ts'

/** What a person reads from the rows of two laps of a file. */
interface ReadAdvice {
  readonly file: string
  readonly lap: number
  readonly against: number
  /** Corner, action and metres, if the action has some. */
  readonly expected: readonly (readonly [corner: string, kind: AdviceAction['kind'], metres?: number])[]
  /** Corners of which nothing is said, because the lap is not slower there. */
  readonly silent: readonly string[]
}

const LIME_ROCK = 'laps/lime-rock-2-laps.ibt'
const SUMMIT = 'laps/summit-jefferson-4-laps.ibt'
const WINTON = 'laps/winton-3-laps.ibt'
const MARTINSVILLE = 'real/martinsville-practice-2-laps.ibt'

/** The rows of most places are in `compare/read-by-hand.test.ts`. */
const READ_BY_HAND: readonly ReadAdvice[] = [
  {
    // Brakes at 551 and 1080 m; lap 3 at 562 and 1097 m. Its lowest speed in Turn 4 is 87.2 against 92.8 km/h, which
    // costs more on the way out than a throttle that comes 9 m later.
    file: LIME_ROCK,
    lap: 2,
    against: 3,
    expected: [
      ['Turn 2', 'brake_later', 10],
      ['Turn 4', 'brake_later', 17],
      ['Turn 4', 'carry_speed'],
    ],
    silent: [],
  },
  { file: LIME_ROCK, lap: 3, against: 2, expected: [], silent: ['Turn 2', 'Turn 4', 'Turn 6'] },
  {
    // Brakes for Turn 1 at 233 m, lap 2 at 241 m. Yet it is the faster one there: 75.5 against 74.8 km/h.
    file: SUMMIT,
    lap: 5,
    against: 2,
    expected: [],
    silent: ['Turn 1', 'Turn 6'],
  },
  {
    // 116.1 against 119.8 km/h in Turn 1.
    file: WINTON,
    lap: 3,
    against: 4,
    expected: [['Turn 1', 'carry_speed']],
    silent: [],
  },
  { file: WINTON, lap: 4, against: 3, expected: [], silent: ['Turn 1', 'Turn 10'] },
  {
    // The foot begins to press at 183 m in lap 32, and at 206 m in lap 33, which then squeezes for longer.
    file: MARTINSVILLE,
    lap: 33,
    against: 32,
    expected: [['Turns 1–2', 'throttle_earlier', 23]],
    silent: [],
  },
  { file: MARTINSVILLE, lap: 32, against: 33, expected: [], silent: ['Turns 1–2'] },
]

/** Metres. Each place is right within two; a squeeze is read at its begin. */
const WITHIN_M = 4

async function fileOf(name: string) {
  const preview = await previewSession(bytesSource(readFileSync(sharedIbt(name))))
  const tracks = new Map(
    preview.laps.flatMap(lap => {
      const track = lapTrack(preview, lap)
      return track === null ? [] : [[lap.lap, track] as const]
    }),
  )
  const corners = nameCorners(numberCorners(findTrackCorners([...tracks.values()])), preview.meta)
  return { tracks, corners }
}

for (const { file, lap, against, expected, silent } of READ_BY_HAND) {
  test(`finds what a person reads: ${file}, lap ${lap} against ${against}`, {
    skip: sharedIbtMissing,
  }, async () => {
    const { tracks, corners } = await fileOf(file)
    const found = findingsOf(corners, tracks.get(lap)!, tracks.get(against)!)
    for (const [corner, kind, metres] of expected) {
      const same = found.find(each => each.corner?.name === corner && each.action.kind === kind)
      assert.ok(same, `${kind} in ${corner}: ${found.map(each => JSON.stringify(each.action)).join()}`)
      if (metres === undefined) continue
      const { action } = same
      assert.ok('metres' in action && Math.abs(action.metres - metres) <= WITHIN_M, JSON.stringify(action))
    }
    const about = found.map(({ corner }) => corner?.name)
    for (const corner of silent) assert.ok(!about.includes(corner), corner)
  })
}

const FILES = [LIME_ROCK, SUMMIT, 'laps/summit-jefferson-second-driver.ibt', WINTON, MARTINSVILLE]

for (const file of [...FILES, 'real/langley-2-laps.ibt']) {
  test(`never says two opposite things of two laps, and never more than they differ by: ${file}`, {
    skip: sharedIbtMissing,
  }, async () => {
    const { tracks, corners } = await fileOf(file)
    for (const [a, lap] of tracks) {
      for (const [b, other] of tracks) {
        if (a === b) continue
        const found = findingsOf(corners, lap, other)
        assert.deepEqual(findingsOf(corners, lap, other), found)
        assert.ok(chooseAdvice(found, [], true).length <= MOST_ADVICE)
        assert.ok(found.every(({ gainMs }) => gainMs >= LEAST_GAIN_MS))
        const back = findingsOf(corners, other, lap)
        for (const { corner, action } of found) {
          const isBoth = back.some(
            each => each.corner?.number === corner?.number && each.action.kind === action.kind,
          )
          assert.ok(!isBoth, `${action.kind} in ${corner?.name} both ways, laps ${a} and ${b}`)
        }
      }
    }
  })
}
