import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@lapwing/simulator/random'
import {
  type KnownRoad,
  knownRoads,
  MISTAKES,
  type MistakeKind,
  mistakenLap,
} from '@lapwing/simulator/testing/mistaken-laps'
import type { LapTrack } from '../compare/lap-track.ts'
import { type Corner, numberCorners } from '../corners/corner.ts'
import { findTrackCorners } from '../corners/find-track-corners.ts'
import { nameCorners } from '../corners/name-corners.ts'
import { type Advice, chooseAdvice, MOST_ADVICE } from './choose-advice.ts'
import { type AdviceAction, type Finding, findingsOf, LEAST_GAIN_MS } from './findings.ts'

const CASES = 500

const ROADS = knownRoads()

/** What helps against each mistake. */
const REMEDY: Readonly<Record<MistakeKind, readonly AdviceAction['kind'][]>> = {
  early_brake: ['brake_later'],
  // In a fast corner it is a lift where the other lap has none.
  late_throttle: ['throttle_earlier', 'full_throttle_earlier', 'stay_flat', 'hold_throttle'],
  wide_exit: ['run_tighter'],
  missed_gear: ['shift_faster'],
}

const UNKNOWN = { sim: 'iracing', track_slug: 'greywater', layout: 'default' }

const cornersOf = (track: LapTrack): readonly Corner[] =>
  nameCorners(numberCorners(findTrackCorners([track])), UNKNOWN)

interface Case {
  readonly road: KnownRoad
  readonly corners: readonly Corner[]
  readonly corner: Corner
  readonly kind: MistakeKind
  readonly lap: LapTrack
}

function* cases(): Generator<Case> {
  const roads = ROADS.map(road => ({ road, corners: cornersOf(road.reference) }))
  const random = createRandom(16)
  for (let made = 0, seed = 0; made < CASES; seed++) {
    const { road, corners } = random.pick(roads)
    const at = random.below(corners.length)
    const kind = MISTAKES[made % MISTAKES.length]!
    const mistaken = mistakenLap(road, corners, at, kind, seed)
    // A mistake that costs next to nothing needs no sentence.
    if (mistaken === null || mistaken.costMs < 2 * LEAST_GAIN_MS) continue
    made++
    yield { road, corners, corner: corners[at]!, kind, lap: mistaken.track }
  }
}

const adviceOf = (corners: readonly Corner[], lap: LapTrack, reference: LapTrack): readonly Advice[] =>
  chooseAdvice(findingsOf(corners, lap, reference), [], true)

test(`names corner and cause of a known mistake in 95 % of ${CASES} simulated laps, and never the opposite`, t => {
  const missed: string[] = []
  for (const { road, corners, corner, kind, lap } of cases()) {
    const advice = adviceOf(corners, lap, road.reference)
    assert.ok(advice.length <= MOST_ADVICE)
    const isNamed = advice.some(
      each => each.corner?.number === corner.number && REMEDY[kind].includes(each.action.kind),
    )
    if (!isNamed) missed.push(`${kind} in ${corner.name}: ${advice.map(wordsOf).join('; ') || 'nothing'}`)
    for (const { gainMs, action } of advice) {
      assert.ok(gainMs >= LEAST_GAIN_MS)
      if ('metres' in action) assert.ok(action.metres > 0)
    }
    // Beside a lap with the mistake, the lap without it is not told to make it.
    for (const { corner: where, action } of adviceOf(corners, road.reference, lap)) {
      const isOpposite = where?.number === corner.number && REMEDY[kind].includes(action.kind)
      assert.ok(!isOpposite, `${kind} in ${corner.name} is advised`)
    }
  }
  for (const line of missed) t.diagnostic(line)
  assert.ok(missed.length <= 0.05 * CASES, `${missed.length} missed`)
})

const wordsOf = ({ corner, action, gainMs }: Finding): string =>
  `${JSON.stringify(action)} at ${corner?.name ?? 'the line'}: ${gainMs} ms`

const turn = (number: string): Corner => ({
  number,
  name: `Turn ${number}`,
  knownAs: null,
  kind: 'turn',
  direction: 'left',
  startPct: Number(number) / 10,
  apexPct: Number(number) / 10 + 0.03,
  endPct: Number(number) / 10 + 0.06,
})

const finding = (number: string, action: AdviceAction, gainMs: number): Finding => ({
  action,
  corner: turn(number),
  fromPct: Number(number) / 10,
  toPct: Number(number) / 10 + 0.05,
  gainMs,
})

const later = (metres: number): AdviceAction => ({ kind: 'brake_later', metres })

test('says what saves most first, and no more than three', () => {
  const findings = [40, 90, 60, 31].map((gainMs, i) =>
    finding(String(i + 1), { kind: 'hold_throttle' }, gainMs),
  )
  assert.deepEqual(
    chooseAdvice(findings, [], true).map(({ gainMs }) => gainMs),
    [90, 60, 40],
  )
})

test('prefers an own lap that did it, with the figures against that lap', () => {
  const own = [
    [finding('2', later(4), 50)],
    [finding('1', later(5), 70), finding('2', later(6), 80)],
    [finding('2', { kind: 'stay_flat' }, 200)],
  ]
  const [advice] = chooseAdvice([finding('2', later(9), 120)], own, true)
  assert.deepEqual(advice, { ...finding('2', later(6), 80), ownLap: 1 })
})

test('says nothing that no lap did: an ideal lap is no lap', () => {
  const findings = [finding('2', later(9), 120)]
  assert.deepEqual(chooseAdvice(findings, [[]], false), [])
  assert.deepEqual(chooseAdvice(findings, [[]], true), [{ ...findings[0]!, ownLap: null }])
})

test('finds nothing between a lap and itself', () => {
  const { reference } = ROADS[0]!
  assert.deepEqual(findingsOf(cornersOf(reference), reference, reference), [])
})
