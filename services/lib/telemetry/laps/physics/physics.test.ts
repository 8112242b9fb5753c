import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@lapwing/simulator/random'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { roughLap, smoothLap } from '@lapwing/simulator/testing/rough-laps'
import { sharedIbtFiles, sharedIbtMissing } from '../../../testing/shared-ibt.ts'
import { bytesSource } from '../../byte-source.ts'
import type { Columns, ColumnValues } from '../../columns.ts'
import { openIbt } from '../../ibt/open-ibt.ts'
import { readColumns } from '../../ibt/read-columns.ts'
import { resampled } from '../../testing/copied-laps.ts'
import { fasterLaps, fasterWay, type Scaled, scaledSensors, scoredLaps } from '../../testing/faster-laps.ts'
import { pickRows, without } from '../../testing/synthetic-laps.ts'
import { findLapsIn } from '../find-laps.ts'
import type { Lap } from '../lap.ts'
import { LAP_CHANNELS } from '../lap-channels.ts'
import { type LapData, type LapFacts, lapData } from '../lap-data.ts'
import { findHardContradictions } from './contradicts-physics.ts'
import { findSoftContradictions, type SoftContradiction } from './find-soft-contradictions.ts'
import { contradictsOtherLaps, type GearRatios } from './gear-ratios.ts'
import { acrossRatio, alongRatio, type HardRule } from './hard-rules.ts'
import { REVIEW_CHANNELS } from './joins.ts'
import { type LapMotion, motionOf } from './lap-motion.ts'

interface Session {
  readonly name: string
  readonly columns: Columns
  readonly facts: LapFacts
}

const CHANNELS = [...LAP_CHANNELS.map(({ name }) => name), 'Gear', ...REVIEW_CHANNELS]

async function sessionOf({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<Session> {
  const file = await openIbt(bytesSource(bytes))
  return { name, columns: await readColumns(file, CHANNELS), facts: file.session }
}

const sample = await sessionOf({ name: 'the sample', bytes: makeSampleSession() })
const recorded = await Promise.all(sharedIbtFiles().map(sessionOf))

/** Runs a test once with the sample's laps, and once with recorded ones. */
function testSessions(promise: string, check: (session: Session) => void): void {
  test(promise, () => check(sample))
  test(`${promise}: recorded laps`, { skip: sharedIbtMissing }, () => recorded.forEach(check))
}

const known = new WeakMap<Columns, { readonly facts: LapFacts; readonly data: LapData }>()

/** Looks up the channels once for all checks of a session, which then share the motion of its laps, too. */
function dataOf(columns: Columns, facts: LapFacts): LapData {
  const last = known.get(columns)
  if (last?.facts === facts) return last.data
  const data = lapData(columns, facts)!
  known.set(columns, { facts, data })
  return data
}

const lapsOf = (columns: Columns, facts: LapFacts): Lap[] => findLapsIn(dataOf(columns, facts))

const rowsOf = (lap: Lap) => ({ rowStart: lap.row_start, rowEnd: lap.row_end })

const completeLaps = ({ columns, facts }: Session): Lap[] =>
  lapsOf(columns, facts).filter(lap => lap.is_completed)

const hardOf = ({ columns, facts }: Pick<Session, 'columns' | 'facts'>, lap: Lap): HardRule[] =>
  findHardContradictions(dataOf(columns, facts), rowsOf(lap))

const softFindings = ({ columns, facts }: Pick<Session, 'columns' | 'facts'>, laps: readonly Lap[]) =>
  findSoftContradictions(columns, dataOf(columns, facts), laps)

function softOf(columns: Columns, facts: LapFacts, lap: Lap): readonly SoftContradiction[] {
  return softFindings({ columns, facts }, [{ ...lap, is_completed: true }])[0]!.contradictions
}

/** Returns the session with one channel changed. */
function changed(
  { columns }: Session,
  name: string,
  change: (value: number, row: number) => number,
): Columns {
  const column = columns.byName.get(name)!
  const values = column.values.slice()
  for (let row = 0; row < values.length; row++) values[row] = change(values[row]!, row)
  return { rows: columns.rows, byName: new Map(columns.byName).set(name, { ...column, values }) }
}

testSessions('finds no contradiction in an honest lap, whole or in part', session => {
  const laps = lapsOf(session.columns, session.facts)
  for (const lap of laps) {
    assert.deepEqual(hardOf(session, lap), [], `${session.name}, lap ${lap.lap}`)
    assert.ok(!lap.reasons.includes('IMPLAUSIBLE'))
  }
  for (const [i, physics] of softFindings(session, laps).entries()) {
    assert.equal(physics === null, !laps[i]!.is_completed)
    if (physics !== null) assert.deepEqual(physics.contradictions, [], `${session.name}, lap ${laps[i]!.lap}`)
  }
})

testSessions('finds no contradiction in an honest lap with 30, 120 or 360 rows a second', session => {
  for (const factor of [0.5, 2, 6]) {
    // Between +180 and -180 degrees, rows that are interpolated have any Yaw.
    const columns = resampled(session.columns, factor)
    const facts = { ...session.facts, tickRateHz: 60 * factor }
    for (const lap of completeLaps(session)) {
      const rows = { row_start: Math.ceil(factor * lap.row_start), row_end: Math.floor(factor * lap.row_end) }
      const what = `${session.name}, lap ${lap.lap}, ${60 * factor} Hz`
      assert.deepEqual(hardOf({ columns, facts }, { ...lap, ...rows }), [], what)
      assert.deepEqual(softOf(columns, facts, { ...lap, ...rows }), [], what)
    }
  }
})

/** Sets the position of some rows to 0/0. */
function withoutPosition(session: Session, isBlank: (row: number) => boolean): Columns {
  const blank = (value: number, row: number) => (isBlank(row) ? 0 : value)
  return changed({ ...session, columns: changed(session, 'Lat', blank) }, 'Lon', blank)
}

testSessions('keeps the verdict of a complete lap if the rows at a line have no position', session => {
  const laps = lapsOf(session.columns, session.facts)
  for (const [from, to] of [
    [0, 0],
    [-1, 1],
    [-2, 3],
  ] as const) {
    const columns = withoutPosition(session, row =>
      laps.some(({ row_start }) => row >= row_start + from && row <= row_start + to),
    )
    for (const [i, lap] of lapsOf(columns, session.facts).entries()) {
      if (laps[i]!.is_completed) assert.deepEqual(lap.reasons, laps[i]!.reasons, session.name)
    }
  }
})

testSessions('refuses a faster lap whose first row has no position', session => {
  for (const factor of [1.02, 2.6]) {
    const faster = { ...session, columns: fasterLaps(session.columns, factor, { Speed: true }) }
    const starts = new Set(lapsOf(faster.columns, session.facts).map(lap => lap.row_start))
    const columns = withoutPosition(faster, row => starts.has(row))
    for (const lap of lapsOf(columns, session.facts)) assert.equal(lap.is_completed, false, session.name)
  }
})

const FACTORS = [1.02, 1.03, 1.05, 1.1, 1.3, 1.7, 2, 2.3, 2.6]
/** The channels that a forger may have scaled, without the rates of turning. */
const PARTS: readonly Scaled[] = Array.from({ length: 16 }, (_, bits) => ({
  Speed: (bits & 1) !== 0,
  LongAccel: (bits & 2) !== 0,
  LatAccel: (bits & 4) !== 0,
  RPM: (bits & 8) !== 0,
}))

testSessions('refuses laps taken 1.02 to 2.6 times faster, whatever other channels are scaled', session => {
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const factor of FACTORS) {
    const parts = factor === 1.02 ? PARTS : [PARTS[0]!, PARTS[1]!, PARTS[15]!]
    const faster = fasterWay(session.columns, factor)
    for (const scaled of parts) {
      const columns = scaledSensors(faster, factor, scaled)
      for (const lap of lapsOf(columns, session.facts)) {
        if (!numbers.has(lap.lap) || lap.reasons.includes('NO_OPEN') || lap.reasons.includes('NO_CLOSE'))
          continue
        const what = `${session.name}, lap ${lap.lap}, ${factor} ${JSON.stringify(scaled)}`
        assert.ok(lap.reasons.includes('IMPLAUSIBLE'), `${what}: ${lap.reasons}`)
      }
    }
  }
})

testSessions('refuses or reviews a lap taken faster that calls itself a joker lap', session => {
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const factor of FACTORS) {
    const columns = onJokerRoad(fasterLaps(session.columns, factor, { Speed: true }))
    for (const lap of lapsOf(columns, session.facts).filter(({ lap }) => numbers.has(lap))) {
      const soft = softOf(columns, session.facts, lap)
      assert.ok(soft.length > 0, `${session.name}, lap ${lap.lap}, ${factor}`)
    }
  }
})

testSessions('refuses laps taken 1.02 times faster without Yaw, Roll and positions', session => {
  const columns = without(fasterLaps(session.columns, 1.02, { Speed: true }), 'Yaw', 'Roll', 'PitchRate')
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const lap of lapsOf(columns, session.facts)) {
    if (!numbers.has(lap.lap) || lap.reasons.includes('NO_OPEN') || lap.reasons.includes('NO_CLOSE')) continue
    assert.ok(lap.reasons.includes('IMPLAUSIBLE'), `${session.name}, lap ${lap.lap}`)
  }
})

testSessions('refuses or reviews a lap in which only the accelerations were not scaled', session => {
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const factor of [1.02, 1.04, 1.07, 1.2, 1.6, 2.6]) {
    const columns = fasterLaps(session.columns, factor, { Speed: true, YawRate: true, RPM: true })
    for (const lap of lapsOf(columns, session.facts)) {
      if (!numbers.has(lap.lap) || lap.reasons.includes('NO_OPEN') || lap.reasons.includes('NO_CLOSE'))
        continue
      const what = `${session.name}, lap ${lap.lap}, ${factor}`
      if (factor >= 1.07) assert.ok(hardOf({ columns, facts: session.facts }, lap).length > 0, what)
      else assert.ok(softOf(columns, session.facts, lap).includes('lat_accel'), what)
    }
  }
})

const ALL: Scaled = { Speed: true, YawRate: true, LongAccel: true, LatAccel: true, RPM: true }
const SENSORS = ['Yaw', 'YawRate', 'LatAccel', 'LongAccel', 'RPM', 'Gear']

/** Returns the sessions of a forger who removes one sensor in each way, or all of them. */
function withoutSensors(session: Session): readonly (readonly [what: string, columns: Columns])[] {
  return [
    ['without all', without(session.columns, ...SENSORS)],
    ...SENSORS.flatMap(name => [
      [`without ${name}`, without(session.columns, name)] as const,
      // NaN, and 0 where the file has whole numbers: neutral.
      [`with ${name} of NaN`, changed(session, name, () => Number.NaN)] as const,
      // An oval can be driven in one gear.
      ...(name === 'Gear' ? [] : [[`with one ${name}`, changed(session, name, () => 3)] as const]),
    ]),
  ]
}

testSessions('holds laps taken 1.02 to 1.9 times faster without sensors, however consistent', session => {
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const [factor, scaled] of [
    [1.02, ALL],
    [1.3, ALL],
    [1.9, ALL],
    [1.9, { Speed: true }],
  ] as const) {
    const unscored = fasterLaps(session.columns, factor, scaled)
    const faster = { ...session, columns: scoredLaps(unscored, lapsOf(unscored, session.facts)) }
    for (const [what, columns] of withoutSensors(faster)) {
      const laps = lapsOf(columns, session.facts)
      const soft = softFindings({ columns, facts: session.facts }, laps)
      const complete = laps.flatMap((lap, i) => (numbers.has(lap.lap) && lap.is_completed ? [i] : []))
      // The forgery is good enough to be complete, unless it has positions that were late.
      if (what === 'without all') assert.equal(complete.length > 0, numbers.size > 0, session.name)
      for (const i of complete) {
        const codes = soft[i]!.contradictions
        const where = `${session.name}, lap ${laps[i]!.lap}, ${factor}, ${what}`
        assert.ok(codes.includes('missing_sensor'), `${where}: ${codes}`)
      }
    }
  }
})

testSessions('refuses rates that the course contradicts in a file without Yaw', session => {
  for (const factor of [-1, 0.01, 0.4, 0.5, 2, 2.6]) {
    const columns = without(
      changed(session, 'YawRate', rate => rate * factor),
      'Yaw',
    )
    for (const lap of completeLaps(session)) {
      assert.deepEqual(
        hardOf({ columns, facts: session.facts }, lap),
        ['turns'],
        `${session.name}, ${factor}`,
      )
    }
  }
})

testSessions('refuses rates of nearly 0 that Yaw contradicts in a file without positions', session => {
  const columns = without(
    changed(session, 'YawRate', rate => rate / 100),
    'Lat',
    'Lon',
  )
  for (const lap of completeLaps(session)) {
    assert.deepEqual(hardOf({ columns, facts: session.facts }, lap), ['turns'], session.name)
  }
})

testSessions('refuses or holds a faster lap whose rates jump, and refuses it from 1.05', session => {
  const numbers = new Set(completeLaps(session).map(({ lap }) => lap))
  for (const factor of [1.02, 1.05, 1.3, 1.9, 2.6]) {
    const faster = { ...session, columns: fasterLaps(session.columns, factor, { ...ALL, YawRate: false }) }
    const even = withJumps(faster, 0)
    for (const lap of lapsOf(faster.columns, session.facts).filter(({ lap }) => numbers.has(lap))) {
      const { turnedRad, count } = motionOf(dataOf(faster.columns, session.facts), rowsOf(lap))!
      const missingRad = turnedRad![count - 1]! * (factor - 1)
      const jumps = Math.floor((lap.row_end - lap.row_start) / JUMP_ROWS)
      // The jumps cancel each other, or add what is missing to a whole turn.
      const more = (missingRad * 60) / jumps
      for (const [moreRps, columns] of [
        [0, even],
        [more, withJumps(faster, more)],
      ] as const) {
        const hard = hardOf({ columns, facts: session.facts }, lap)
        const soft = softOf(columns, session.facts, lap)
        const what = `${session.name}, lap ${lap.lap}, ${factor}, ${moreRps}: ${hard}, ${soft}`
        assert.ok(soft.includes('turn_rate'), what)
        if (factor >= 1.05 && moreRps === 0) assert.ok(hard.includes('turns'), what)
      }
    }
  }
})

const JUMP_ROWS = 40

const withJumps = (session: Session, moreRps: number): Columns =>
  changed(session, 'YawRate', (rate, row) => {
    const at = row % JUMP_ROWS
    return rate + (at === 10 ? 3 + moreRps : at === 30 ? -3 : 0)
  })

testSessions('returns the same verdict for a part of a file and for the whole', session => {
  const random = createRandom(7)
  for (const factor of [1, 1.015, 1.02]) {
    const columns = factor === 1 ? session.columns : fasterLaps(session.columns, factor, { Speed: true })
    for (const lap of lapsOf(columns, session.facts)) {
      if (lap.reasons.some(reason => ['NO_OPEN', 'NO_CLOSE', 'JUMP', 'OUT', 'IN', 'GAP'].includes(reason)))
        continue
      const whole = hardOf({ columns, facts: session.facts }, lap)
      const from = Math.max(0, lap.row_start - 300 - random.below(900))
      const to = Math.min(columns.rows, lap.row_end + 300 + random.below(900))
      const cut = pickRows(
        columns,
        Array.from({ length: to - from }, (_, i) => from + i),
      )
      const same = lapsOf(cut, session.facts).find(other => other.row_start + from === lap.row_start)!
      const what = `${session.name}, lap ${lap.lap}`
      assert.deepEqual(hardOf({ columns: cut, facts: session.facts }, same), whole, what)
      assert.equal(same.reasons.includes('IMPLAUSIBLE'), lap.reasons.includes('IMPLAUSIBLE'), what)
    }
  }
})

testSessions('finds no contradiction by a channel that a file lacks', session => {
  const random = createRandom(11)
  const names = [...session.columns.byName.keys()].filter(
    name => !['SessionTime', 'LapDistPct'].includes(name),
  )
  const laps = completeLaps(session)
  for (let i = 0; i < 12; i++) {
    const gone = names.filter(() => random.below(3) === 0)
    // Without Roll a road counts as flat, and the recorded ovals are banked.
    if (gone.includes('Roll') || gone.includes('PitchRate')) gone.push('YawRate', 'LatAccel')
    const columns = without(session.columns, ...gone)
    for (const lap of laps) {
      assert.deepEqual(hardOf({ columns, facts: session.facts }, lap), [], `${session.name} without ${gone}`)
    }
  }
})

/** 10,000 laps take some minutes: `PHYSICS_LAPS=10000`. */
const ROUGH_LAPS = Number(process.env.PHYSICS_LAPS ?? 150)
const PER_CIRCUIT = 25

/** Largest share of honest simulated laps with each finding: twice what 1,000 laps show. */
const MAX_HELD: Readonly<Partial<Record<SoftContradiction, number>>> = {
  gear_ratio: 0.04,
  splice: 0.015,
  long_accel: 0.004,
  turn_rate: 0.004,
  course: 0.002,
}

test(`refuses none of ${ROUGH_LAPS} simulated laps with mishaps and kerbs, and refuses or holds each of them once forged`, () => {
  const soft: Partial<Record<SoftContradiction, number>> = {}
  let heldForgeries = 0
  let jumpedForgeries = 0
  for (let i = 0; i < ROUGH_LAPS; ) {
    const smooth = smoothLap(i)
    for (const end = i + PER_CIRCUIT; i < end && i < ROUGH_LAPS; i++) {
      const { columns, facts, lap, what } = roughLap(smooth, i)
      assert.deepEqual(hardOf({ columns, facts }, lap), [], what)
      for (const code of softOf(columns, facts, lap)) soft[code] = (soft[code] ?? 0) + 1

      const forged = fasterLaps(columns, 1.02, { Speed: true })
      const faster = {
        ...lap,
        row_start: Math.ceil(lap.row_start / 1.02),
        row_end: Math.floor(lap.row_end / 1.02),
      }
      if (hardOf({ columns: forged, facts }, faster).includes('turns')) continue
      assert.ok(softOf(forged, facts, faster).includes('turn_rate'), what)
      heldForgeries++
      // A figure of eight or a spin hides how far the car turned. Few other laps do: a rate jumps between two rows.
      if (!smooth.isFigureOfEight && !what.includes('spins')) jumpedForgeries++
    }
  }
  assert.ok(heldForgeries > 0)
  assert.ok(jumpedForgeries <= 0.01 * ROUGH_LAPS, `${jumpedForgeries} forged laps not refused`)
  console.log(`${heldForgeries} forged laps held for review, all others refused`)
  // Contact and odd engines sometimes need a moderator's review.
  const reviewed = Object.entries(soft).map(([code, laps]) => `${code} ${laps}`)
  for (const [code, laps] of Object.entries(soft)) {
    const most = MAX_HELD[code as SoftContradiction] ?? 0
    assert.ok(laps <= Math.ceil(most * ROUGH_LAPS), reviewed.join(', '))
  }
  console.log(`soft findings in ${ROUGH_LAPS} simulated laps: ${reviewed.join(', ')}`)
})

test('refuses no lap with contact at 30 Hz, nor one that slides over its only straights', () => {
  for (const [circuit, seed] of [
    [10, 10_019],
    [73, 73_005],
  ] as const) {
    const { columns, facts, lap, what } = roughLap(smoothLap(circuit), seed)
    assert.deepEqual(hardOf({ columns, facts }, lap), [], what)
  }
})

test('refuses an engine beyond its red line, and not a missed gear', () => {
  const lap = completeLaps(sample)[0]!
  const scaled = (factor: number, rows: number) =>
    changed(sample, 'RPM', (rpm, row) => (row - lap.row_start - 1000 < rows ? rpm * factor : rpm))
  assert.deepEqual(hardOf({ columns: scaled(1.3, 1e6), facts: sample.facts }, lap), ['revolutions'])
  assert.deepEqual(hardOf({ columns: scaled(1.02, 1e6), facts: sample.facts }, lap), [])
  const missed = changed(sample, 'RPM', (rpm, row) => (row % 3000 < 20 ? 9900 : rpm))
  assert.deepEqual(hardOf({ columns: missed, facts: sample.facts }, lap), [])
  assert.deepEqual(
    hardOf({ columns: scaled(1.3, 1e6), facts: { ...sample.facts, redLineRpm: null } }, lap),
    [],
  )
})

test('refuses forces that no car reaches, and not a kerb', () => {
  const lap = completeLaps(sample)[0]!
  const columns = fasterLaps(sample.columns, 2.6, {
    Speed: true,
    YawRate: true,
    LongAccel: true,
    LatAccel: true,
    RPM: true,
  })
  const faster = lapsOf(columns, sample.facts).find(other => other.lap === lap.lap)!
  assert.deepEqual(hardOf({ columns, facts: { ...sample.facts, redLineRpm: null } }, faster), ['forces'])
  const kerbs = changed(sample, 'LatAccel', (value, row) => (row % 200 < 3 ? value + 150 : value))
  assert.deepEqual(hardOf({ columns: kerbs, facts: sample.facts }, lap), [])
})

test('refuses sharp bends of the positions at speed, but not on a joker lap', () => {
  const lap = completeLaps(sample)[0]!
  // Bends of 11 g from side to side, each for a second.
  const sideM = (row: number) => 11 * Math.sin((Math.PI * row) / 60)
  const columns = changed(sample, 'Lat', (value, row) => value + sideM(row) / 111_195)
  assert.ok(hardOf({ columns, facts: sample.facts }, lap).includes('forces'))
  assert.ok(!hardOf({ columns: onJokerRoad(columns), facts: sample.facts }, lap).includes('forces'))
})

for (const { channel, rule, soft } of [
  { channel: 'YawRate', rule: 'turns', soft: 'turn_rate' },
  { channel: 'LongAccel', rule: 'along', soft: 'long_accel' },
  { channel: 'LatAccel', rule: 'across', soft: 'lat_accel' },
] as const) {
  test(`only holds a joker lap whose ${channel} contradicts its way`, () => {
    const lap = completeLaps(sample)[0]!
    const columns = changed(sample, channel, value => 1.2 * value)
    assert.deepEqual(hardOf({ columns, facts: sample.facts }, lap), [rule])
    assert.deepEqual(hardOf({ columns: onJokerRoad(columns), facts: sample.facts }, lap), [])
    assert.ok(softOf(onJokerRoad(columns), sample.facts, lap).includes(soft))
  })
}

test('looks for no join in a joker lap over a longer road', () => {
  const lap = completeLaps(sample)[0]!
  const middle = (lap.row_start + lap.row_end) >> 1
  const columns = onJokerRoad(changed(sample, 'Yaw', (yaw, row) => (row < middle ? yaw : yaw + 0.5)))
  assert.ok(softOf(columns, sample.facts, lap).includes('splice'))
  const facts = { ...sample.facts, trackLengthM: 0.98 * sample.facts.trackLengthM! }
  assert.ok(!softOf(columns, facts, lap).includes('splice'))
})

test('refuses ticks that count another time than SessionTime', () => {
  const lap = completeLaps(sample)[0]!
  const ticks = changed(sample, 'SessionTick', (_, row) => Math.round(70_000 + 1.02 * row))
  assert.deepEqual(hardOf({ columns: ticks, facts: sample.facts }, lap), ['ticks'])
  const at120 = changed(sample, 'SessionTick', (_, row) => 70_000 + 2 * row)
  assert.deepEqual(hardOf({ columns: at120, facts: sample.facts }, lap), [])
})

function onJokerRoad(columns: Columns, isOnIt: (row: number) => boolean = () => true): Columns {
  const values = new Uint8Array(columns.rows).map((_, row) => Number(isOnIt(row)))
  const joker = { name: 'SessionOnJokerLap', type: 'bool', count: 1, unit: '', values } as const
  return { ...columns, byName: new Map(columns.byName).set(joker.name, joker) }
}

/** Returns the sample with one channel scaled until a figure of the lap has the wanted value. */
function scaledUntil(name: string, figureOf: (motion: LapMotion) => number, wanted: number): Columns {
  const rows = rowsOf(completeLaps(sample)[0]!)
  let factor = wanted
  for (let pass = 0; ; pass++) {
    const columns = changed(sample, name, value => value * factor)
    const figure = figureOf(motionOf(dataOf(columns, sample.facts), rows)!)
    if (Math.abs(figure - wanted) < 0.0003) return columns
    assert.ok(pass < 20, `${name}: ${figure}`)
    factor *= wanted / figure
  }
}

test('refuses accelerations from 10 % along and from 12 % across the course', () => {
  const lap = completeLaps(sample)[0]!
  for (const [name, ratioOf, rule, near, far] of [
    ['LongAccel', alongRatio, 'along', 0.09, 0.11],
    ['LatAccel', acrossRatio, 'across', 0.11, 0.13],
  ] as const) {
    for (const sign of [-1, 1]) {
      const broken = (error: number) => {
        const columns = scaledUntil(name, motion => ratioOf(motion)!, 1 + sign * error)
        return hardOf({ columns, facts: sample.facts }, lap).includes(rule)
      }
      assert.deepEqual([broken(near), broken(far)], [false, true], `${name}, ${sign}`)
    }
  }
})

test('refuses a turn from 1.1 % off', () => {
  const lap = completeLaps(sample)[0]!
  const turns = ({ turnedRad, count }: LapMotion) => Math.abs(turnedRad![count - 1]!) / (2 * Math.PI)
  for (const [error, broken] of [
    [0.01, []],
    [0.012, ['turns']],
  ] as const) {
    for (const sign of [-1, 1]) {
      const columns = without(scaledUntil('YawRate', turns, 1 + sign * error), 'Yaw')
      assert.deepEqual(hardOf({ columns, facts: sample.facts }, lap), broken, `${sign * error}`)
    }
  }
})

/** Returns rows of lap `a` up to a share of the lap, then rows of lap `b`, with a continuous clock. */
function spliced(
  a: Session,
  lapA: Lap,
  b: Session,
  lapB: Lap,
  share: number,
): { columns: Columns; lap: Lap } {
  const rowAt = ({ columns }: Session, lap: Lap): number => {
    const pct = columns.byName.get('LapDistPct')!.values
    let row = lap.row_start
    while (pct[row]! < share) row++
    return row
  }
  const cutA = rowAt(a, lapA)
  const cutB = rowAt(b, lapB)
  const head = cutA - lapA.row_start
  const rows = head + lapB.row_end - cutB + 1
  const byName = new Map(
    [...a.columns.byName.values()].flatMap(column => {
      const other = b.columns.byName.get(column.name)
      if (column.count !== 1 || other === undefined) return []
      const values = new (column.values.constructor as new (length: number) => ColumnValues)(rows)
      for (let row = 0; row < rows; row++) {
        values[row] = row < head ? column.values[lapA.row_start + row]! : other.values[cutB + row - head]!
        if (column.name === 'SessionTime') values[row] = 100 + row / 60
        if (column.name === 'SessionTick') values[row] = 6000 + row
      }
      return [[column.name, { ...column, values }] as const]
    }),
  )
  return { columns: { rows, byName }, lap: { ...lapA, row_start: 0, row_end: rows - 1 } }
}

type Pair = readonly [a: Session, lapA: Lap, b: Session, lapB: Lap]

function isFound([a, lapA, b, lapB]: Pair, share: number): boolean {
  const { columns, lap } = spliced(a, lapA, b, lapB, share)
  const isHard = hardOf({ columns, facts: a.facts }, lap).includes('join')
  return isHard || softOf(columns, a.facts, lap).includes('splice')
}

/** Returns the share of the cuts that are found. */
function foundSplices(pairs: readonly Pair[]): number {
  const cuts = pairs.flatMap(pair => SHARES.map(share => isFound(pair, share)))
  return cuts.filter(found => found).length / cuts.length
}

const SHARES = [0.07, 0.21, 0.34, 0.5, 0.61, 0.78, 0.93]

/** Returns each lap with the next one, of one file or of two. */
function pairsOf(...names: readonly string[]): Pair[] {
  const sessions = [sample, ...recorded].filter(({ name }) => names.some(part => name.includes(part)))
  const laps = sessions.flatMap(session => completeLaps(session).map(lap => [session, lap] as const))
  return laps.slice(1).map(([b, lapB], i) => [...laps[i]!, b, lapB])
}

/** Returns the share of the lap at which the two laps are most similar in position, speed and angle. */
function bestCut([a, lapA, b, lapB]: Pair): number {
  const of = ({ columns }: Session, name: string) => columns.byName.get(name)!.values
  const pct = of(b, 'LapDistPct')
  let rowB = lapB.row_start
  let best = { cost: Number.POSITIVE_INFINITY, share: 0 }
  for (let row = lapA.row_start + 60; row < lapA.row_end - 60; row++) {
    const share = of(a, 'LapDistPct')[row]!
    while (pct[rowB]! < share && rowB < lapB.row_end - 60) rowB++
    const apart = (name: string) => of(a, name)[row]! - of(b, name)[rowB]!
    const metres =
      111_195 * Math.hypot(apart('Lat'), apart('Lon') * Math.cos(of(a, 'Lat')[row]! * (Math.PI / 180)))
    const cost = (metres / 0.5) ** 2 + (apart('Speed') / 0.5) ** 2 + (apart('Yaw') / 0.01) ** 2
    if (cost < best.cost) best = { cost, share }
  }
  return best.share
}

test('finds where two laps of the sample were joined, by the fuel at any cut', () => {
  const pairs = pairsOf('the sample')
  assert.equal(foundSplices(pairs), 1)
  for (const pair of pairs) assert.ok(isFound(pair, bestCut(pair)))
})

test('finds where two laps were joined that call themselves a joker lap for a moment', () => {
  for (const [a, lapA, b, lapB] of pairsOf('the sample')) {
    for (const share of SHARES) {
      const { columns, lap } = spliced(a, lapA, b, lapB, share)
      const flagged = onJokerRoad(columns, row => Math.abs(row - columns.rows / 2) < 6)
      assert.ok(softOf(flagged, a.facts, lap).includes('splice'), `${share}`)
    }
  }
})

test('finds a jump of a tyre or of the time of day inside a lap, and no change that a lap can have', () => {
  const lap = completeLaps(sample)[0]!
  const middle = (lap.row_start + lap.row_end) >> 1
  const isJoined = (name: string, value: (row: number) => number) => {
    const like = sample.columns.byName.get('FuelLevel')!
    const values = new Float64Array(sample.columns.rows).map((_, row) => value(row))
    const byName = new Map(sample.columns.byName).set(name, { ...like, name, values })
    return softOf({ rows: sample.columns.rows, byName }, sample.facts, lap).includes('splice')
  }
  const jump = (from: number, to: number) => (row: number) => (row < middle ? from : to)
  assert.equal(isJoined('LFtempCM', jump(71, 74)), true)
  assert.equal(isJoined('LFtempCM', jump(71, 71.2)), false)
  assert.equal(isJoined('LFwearM', jump(0.96, 0.99)), true)
  assert.equal(isJoined('LFwearM', jump(0.96, 0.959)), false)
  const clock = (factor: number, beginS: number) => (row: number) =>
    Math.floor(beginS + (factor * row) / 60) % 86_400
  for (const factor of [0, 1, 60]) {
    assert.equal(isJoined('SessionTimeOfDay', clock(factor, 50_000)), false)
    // The day ends in the middle of the lap.
    assert.equal(isJoined('SessionTimeOfDay', clock(factor, 86_400 - (factor * middle) / 60)), false)
    const [before, after] = [clock(factor, 50_000), clock(factor, 50_090)]
    assert.equal(
      isJoined('SessionTimeOfDay', row => (row < middle ? before : after)(row)),
      true,
    )
  }
})

test('finds every join of recorded laps with fuel and temperatures', { skip: sharedIbtMissing }, () => {
  for (const pairs of [pairsOf('martinsville'), pairsOf('langley-2', 'langley-1')]) {
    assert.equal(foundSplices(pairs), 1)
    for (const pair of pairs) assert.ok(isFound(pair, bestCut(pair)))
  }
})

test('finds nine in ten joins of recorded laps without fuel, of one file and of two', {
  skip: sharedIbtMissing,
}, () => {
  const pairs = [...pairsOf('jefferson'), ...pairsOf('winton'), ...pairsOf('lime-rock')]
  const found = foundSplices(pairs)
  const best = pairs.filter(pair => isFound(pair, bestCut(pair))).length
  console.log(`joins found: ${found.toFixed(3)}; ${best} of ${pairs.length} at the best point to cut`)
  assert.ok(found > 0.9)
})

testSessions('finds a join at which rows have no position', session => {
  const bare = { ...session, columns: without(session.columns, ...REVIEW_CHANNELS) }
  for (const lap of completeLaps(session)) {
    const at = (lap.row_start + lap.row_end) >> 1
    const way = (name: string) => {
      const { values } = session.columns.byName.get(name)!
      return Math.abs(values[at + 6]! - values[at - 6]!)
    }
    for (const [name, more] of [
      // To the side of the way.
      [way('Lat') < way('Lon') ? 'Lat' : 'Lon', 3 / 111_195],
      ['Yaw', 0.03],
    ] as const) {
      const joined = changed(bare, name, (value, row) => (row < at ? value : value + more))
      for (const blank of [0, 1, 2, 6]) {
        const columns = withoutPosition(
          { ...bare, columns: joined },
          row => row >= at - blank && row < at + blank,
        )
        const codes = softOf(columns, session.facts, lap)
        assert.ok(codes.includes('splice'), `${session.name}, lap ${lap.lap}, ${name}, ${blank}: ${codes}`)
      }
    }
  }
})

testSessions('finds no contradiction in an honest lap that lacks some positions', session => {
  const laps = completeLaps(session)
  for (const gap of [1, 7, 30, 60]) {
    for (let from = 0; from < 600; from += 150) {
      const columns = withoutPosition(session, row => row % 600 >= from && row % 600 < from + gap)
      for (const lap of laps) {
        const where = `${session.name}, lap ${lap.lap}, ${gap} rows from ${from}`
        assert.deepEqual(hardOf({ columns, facts: session.facts }, lap), [], where)
        assert.deepEqual(softOf(columns, session.facts, lap), [], where)
      }
    }
  }
})

testSessions('holds a lap with a sensor that is NaN in one row', session => {
  const laps = completeLaps(session)
  const middles = new Set(laps.map(lap => (lap.row_start + lap.row_end) >> 1))
  for (const [code, ...names] of [
    ['missing_sensor', 'Yaw', 'YawRate', 'LatAccel', 'LongAccel', 'RPM'],
    ['splice', ...(session.columns.byName.has('FuelLevel') ? ['FuelLevel'] : [])],
  ] as const) {
    for (const name of names) {
      const columns = changed(session, name, (value, row) => (middles.has(row) ? Number.NaN : value))
      for (const lap of laps) {
        const codes = softOf(columns, session.facts, lap)
        assert.ok(codes.includes(code), `${session.name}, ${name}: ${codes}`)
      }
    }
  }
})

test('holds a complete lap with too few or too many rows to compare', () => {
  const lap = completeLaps(sample)[0]!
  const rows = lap.row_end - lap.row_start + 1
  for (const count of [100, 260_000]) {
    const columns = pickRows(
      sample.columns,
      Array.from({ length: count }, (_, i) => lap.row_start + Math.floor((i * rows) / count)),
    )
    const dense = { ...lap, row_start: 0, row_end: count - 1 }
    assert.deepEqual(softOf(columns, sample.facts, dense), ['missing_sensor'], `${count} rows`)
  }
})

testSessions('treats a sensor that is NaN all through as missing', session => {
  for (const name of ['Yaw', 'YawRate', 'LatAccel', 'LongAccel', 'RPM']) {
    const laps = lapsOf(without(session.columns, name), session.facts)
    assert.deepEqual(
      lapsOf(
        changed(session, name, () => Number.NaN),
        session.facts,
      ),
      laps,
      name,
    )
  }
})

test('compares the gears of a lap with each other and with other laps', () => {
  const lap = completeLaps(sample)[0]!
  const ratios = (columns: Columns): GearRatios =>
    softFindings({ columns, facts: sample.facts }, [lap])[0]!.gearRatios
  const own = ratios(sample.columns)
  // Second gear is driven for some two seconds, and may be absent.
  assert.deepEqual(
    [...own.keys()].filter(gear => gear !== 2),
    [1, 3, 4, 5, 6],
  )
  const slower = ratios(changed(sample, 'RPM', rpm => rpm / 1.03))
  assert.equal(contradictsOtherLaps(own, []), false)
  assert.equal(contradictsOtherLaps(own, [own, new Map(own)]), false)
  assert.equal(contradictsOtherLaps(slower, [slower, own]), true)
  // One set-up that agrees is enough.
  assert.equal(contradictsOtherLaps(slower, [own, new Map(slower)]), false)
  const odd = changed(sample, 'Gear', gear => (gear === 3 ? 6 : gear === 6 ? 3 : gear))
  assert.deepEqual(softOf(odd, sample.facts, lap), ['gear_ratio'])
})

test('finds the one lap of a file with other gears than the rest', () => {
  const laps = completeLaps(sample)
  const forged = laps[1]!
  const columns = changed(sample, 'RPM', (rpm, row) =>
    row >= forged.row_start && row <= forged.row_end ? rpm / 1.03 : rpm,
  )
  const codes = softFindings({ columns, facts: sample.facts }, laps).map(physics => physics!.contradictions)
  assert.deepEqual(
    codes,
    laps.map(lap => (lap === forged ? ['gear_ratio'] : [])),
  )
})
