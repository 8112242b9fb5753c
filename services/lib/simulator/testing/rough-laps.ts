import type { Column, Columns, ColumnValues, Lap, LapFacts, VariableType } from '@lapwing/telemetry'
import { smooth } from '@lapwing/telemetry/smooth'
import { LAPWING_GT } from '../car.ts'
import { type Circuit, valueAt } from '../circuit.ts'
import { driveStint } from '../drive-stint.ts'
import { planStint } from '../plan-stint.ts'
import { randomFrom } from '../random.ts'
import { wrapped } from '../wrapped.ts'

/** A circuit driven once by the project's simulator, at 60 Hz: a lap and some seconds before and after. */
export interface SmoothLap {
  readonly isFigureOfEight: boolean
  readonly lengthM: number
  readonly redLineRpm: number
  readonly eastM: Float64Array
  readonly northM: Float64Array
  readonly altM: Float64Array
  readonly rpm: Float64Array
  readonly gear: Float64Array
  /** Share of the lap; continues to rise over the line. */
  readonly pct: Float64Array
}

/** A lap with mishaps, as the simulator would write it. */
export interface RoughLap {
  readonly columns: Columns
  readonly facts: LapFacts
  readonly lap: Lap
  /** What happened, and the rows a second, for messages of tests. */
  readonly what: string
}

/** Drives a random circuit: either way round or a figure of eight, 1 to 5 km, up to 40 m of hills. */
export function smoothLap(seed: number): SmoothLap {
  const random = randomFrom(seed)
  const isFigureOfEight = random() < 0.2
  const circuit = randomCircuit(random, isFigureOfEight)
  const car = { ...LAPWING_GT, grip: 1 + random(), massKg: 700 + 800 * random() }
  const plan = planStint(circuit, car, {
    laps: [0, 1, 2].map(i => ({ pace: 0.88 + 0.1 * random(), seed: 10 * seed + i })),
    mistakes: [],
    startsAt: 0.8,
    isFromPits: false,
    stopsAt: 0.1,
  })
  const drive = driveStint(plan, circuit)
  const perLap = circuit.eastM.length
  const pct = drive.at.map(at => (plan.start + at) / perLap)
  const from = pct.findIndex(share => share > 0.99)
  const to = pct.findIndex(share => share > 2.01)
  const ticks = drive.at.subarray(from, to)
  const heading = periodic(circuit)
  const aside = (at: number): number => {
    const i = Math.min(plan.aside.length - 2, Math.floor(at))
    return plan.aside[i]! + (plan.aside[i + 1]! - plan.aside[i]!) * (at - i)
  }
  const east = (at: number): number =>
    valueAt(circuit.eastM, plan.start + at) - aside(at) * Math.sin(heading(plan.start + at))
  const north = (at: number): number =>
    valueAt(circuit.northM, plan.start + at) + aside(at) * Math.cos(heading(plan.start + at))
  return {
    isFigureOfEight,
    lengthM: circuit.lengthM,
    redLineRpm: car.redLineRpm,
    // The plan moves in steps of two metres, which no car does.
    eastM: smooth(ticks.map(east), 3, false),
    northM: smooth(ticks.map(north), 3, false),
    altM: smooth(
      ticks.map(at => valueAt(circuit.altM, plan.start + at)),
      3,
      false,
    ),
    rpm: drive.rpm.slice(from, to),
    gear: Float64Array.from(drive.gear.subarray(from, to)),
    pct: pct.slice(from, to),
  }
}

const STEP_M = 2

function randomCircuit(random: () => number, isFigureOfEight: boolean): Circuit {
  const waves = [2, 3, 4, 5].map(k => ({ k, size: (0.45 * random()) / k, phase: 2 * Math.PI * random() }))
  const way = random() < 0.5 ? -1 : 1
  const bulge = (u: number): number =>
    waves.reduce((sum, { k, size, phase }) => sum + size * Math.cos(k * u + phase), 1)
  const at = (u: number): [number, number] =>
    isFigureOfEight
      ? [Math.sin(u) + 0.1 * Math.cos(3 * u), way * 0.5 * Math.sin(2 * u)]
      : [bulge(u) * Math.cos(way * u), bulge(u) * Math.sin(way * u)]
  const FINE = 20_000
  const distance = new Float64Array(FINE + 1)
  for (let i = 0; i < FINE; i++) {
    const [x, y] = at((2 * Math.PI * i) / FINE)
    const [nextX, nextY] = at((2 * Math.PI * (i + 1)) / FINE)
    distance[i + 1] = distance[i]! + Math.hypot(nextX - x, nextY - y)
  }
  const lengthM = 1000 + 4000 * random()
  const size = lengthM / distance[FINE]!
  const count = Math.round(lengthM / STEP_M)
  const eastM = new Float64Array(count)
  const northM = new Float64Array(count)
  for (let i = 0, fine = 0; i < count; i++) {
    while (distance[fine + 1]! * size < (i * lengthM) / count) fine++
    const [x, y] = at((2 * Math.PI * fine) / FINE)
    eastM[i] = x * size
    northM[i] = y * size
  }
  const headingRad = new Float64Array(count)
  let heading = 0
  for (let i = 0; i < count; i++) {
    const a = (i + count - 4) % count
    const b = (i + 4) % count
    const way = Math.atan2(northM[b]! - northM[a]!, eastM[b]! - eastM[a]!)
    heading += wrapped(way - heading)
    headingRad[i] = heading
  }
  const stepM = lengthM / count
  const hills = [1, 2, 3].map(k => ({ k, heightM: (12 * random()) / k, phase: 6 * random() }))
  return {
    lengthM,
    stepM,
    eastM,
    northM,
    altM: eastM.map((_, i) =>
      hills.reduce((sum, h) => sum + h.heightM * Math.cos((2 * Math.PI * h.k * i) / count + h.phase), 100),
    ),
    headingRad,
    curvature: headingRad.map((_, i) => {
      return wrapped(headingRad[(i + 3) % count]! - headingRad[(i + count - 3) % count]!) / (6 * stepM)
    }),
    offsetM: new Float64Array(count),
  }
}

/** Returns the heading at any point of the stint, whatever turns a lap makes. */
function periodic({ headingRad }: Circuit): (at: number) => number {
  const count = headingRad.length
  return at => {
    const i = Math.floor(at)
    const a = headingRad[i % count]!
    return a + wrapped(headingRad[(i + 1) % count]! - a) * (at - i)
  }
}

/**
 * Drives a smooth lap with everything that happens to honest drivers, drawn by the seed. On the road: slides,
 * caught spins, contact, trips over the grass, kerbs, jumps, banking up to 30 degrees, wheelspin, missed
 * gears. In the file: missing ticks, positions that are late by a tick, and 30, 60, 120 or 360 rows a second.
 */
export function roughLap(base: SmoothLap, seed: number): RoughLap {
  const random = randomFrom(seed)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const hz = [30, 60, 60, 60, 120, 360][Math.floor(6 * random())]!
  const fine = Math.max(120, hz)
  const rows = Math.floor(((base.eastM.length - 4) * fine) / 60)
  const seconds = rows / fine
  const times = (most: number): number[] =>
    Array.from({ length: Math.floor((most + 1) * random()) }, () => between(0.05, 0.95) * seconds)
  const at = (values: Float64Array) => new Float64Array(rows).map((_, i) => spline(values, (60 * i) / fine))
  const eastM = at(base.eastM)
  const northM = at(base.northM)
  const altM = at(base.altM)
  const happened: string[] = [`${hz} Hz`]
  const count = (what: string, events: number[]): number[] => {
    if (events.length > 0) happened.push(`${events.length} ${what}`)
    return events
  }
  const over = (startS: number, lastsS: number, change: (i: number, share: number) => void): void => {
    const end = Math.min(rows, Math.floor((startS + lastsS) * fine))
    for (let i = Math.floor(startS * fine); i < end; i++) change(i, (i / fine - startS) / lastsS)
  }

  // The way: excursions and contact, which moves the car sideways in one step.
  for (const startS of count('excursions', times(1))) {
    const [x, y] = [between(-9, 9), between(-9, 9)]
    over(startS, between(3, 6), (i, share) => {
      const bump = Math.sin(Math.PI * share) ** 4
      eastM[i]! += x * bump
      northM[i]! += y * bump
    })
  }
  const kicks = count('contacts', times(3))
  for (const startS of kicks) {
    const [x, y] = [between(-3, 3), between(-3, 3)]
    over(startS, 3, (i, share) => {
      const late = 3 * share * Math.exp(-10 * share)
      eastM[i]! += x * late
      northM[i]! += y * late
    })
  }
  for (const startS of count('jumps', times(2))) {
    over(startS, between(0.3, 0.8), (i, share) => (altM[i]! += 1.2 * share * (1 - share)))
  }
  const speedMps = new Float64Array(rows)
  const courseRad = new Float64Array(rows)
  const slope = new Float64Array(rows)
  const velocityE = slopes(eastM, fine)
  const velocityN = slopes(northM, fine)
  const climb = slopes(altM, fine)
  for (let i = 0; i < rows; i++) {
    speedMps[i] = Math.hypot(velocityE[i]!, velocityN[i]!)
    const before = i === 0 ? 0 : courseRad[i - 1]!
    courseRad[i] = before + wrapped(Math.atan2(velocityN[i]!, velocityE[i]!) - before)
    slope[i] = climb[i]! / Math.max(1, speedMps[i]!)
  }
  const accelE = slopes(velocityE, fine)
  const accelN = slopes(velocityN, fine)

  // The heading of the car.
  const lean = between(0, 0.006)
  const crab = between(-0.04, 0.04)
  const bank = random() < 0.3 ? between(0.05, 0.52) : 0
  if (bank > 0) happened.push(`banked ${bank.toFixed(2)}`)
  const bend = slopes(courseRad, fine)
  const softly = (values: Float64Array): Float64Array => smooth(values, Math.round(fine / 25), false)
  const yawRad = softly(courseRad.map((course, i) => course + crab + lean * bend[i]! * speedMps[i]!))
  for (const startS of count('slides', times(6))) {
    const angle = between(-0.8, 0.8)
    over(startS, between(0.6, 2.5), (i, share) => (yawRad[i]! += angle * Math.sin(Math.PI * share) ** 2))
  }
  for (const startS of count('spins', random() < 0.1 ? times(1) : [])) {
    const turn = random() < 0.5 ? -2 * Math.PI : 2 * Math.PI
    const lastsS = between(1, 2.5)
    const end = Math.min(rows, Math.floor((startS + lastsS) * fine))
    over(startS, lastsS, (i, share) => (yawRad[i]! += turn * share * share * (3 - 2 * share)))
    for (let i = end; i < rows; i++) yawRad[i]! += turn
  }
  for (const startS of kicks) {
    const kick = between(-2, 2)
    over(startS, 3, (i, share) => (yawRad[i]! += kick * 3 * share * Math.exp(-9 * share)))
  }
  const turnRate = slopes(yawRad, fine)
  const steep = 0.01 + Math.max(...bend.map(Math.abs))
  const rollRad = softly(
    bend.map((rate, i) => -bank * Math.tanh((4 * rate) / steep) + 0.0012 * rate * speedMps[i]!),
  )

  // The sensors.
  const noise = (size: number): number => size * (random() + random() + random() - 1.5)
  const alongMps2 = new Float64Array(rows)
  const acrossMps2 = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const [sine, cosine] = [Math.sin(yawRad[i]!), Math.cos(yawRad[i]!)]
    alongMps2[i] = accelE[i]! * cosine + accelN[i]! * sine + GRAVITY * slope[i]! + noise(0.8)
    const level = accelN[i]! * cosine - accelE[i]! * sine
    acrossMps2[i] = level * Math.cos(rollRad[i]!) + GRAVITY * Math.sin(rollRad[i]!) + noise(0.8)
  }
  for (const startS of times(25)) {
    over(startS, between(0.1, 0.4), i => {
      alongMps2[i]! += noise(8)
      acrossMps2[i]! += noise(16)
      rollRad[i]! += noise(0.01)
    })
  }
  // A rev limiter cuts the engine many times a second, so that no engine stays at one speed.
  const limiter = (i: number): number => base.redLineRpm * (1 - 0.002 * (1 + Math.sin(i)))
  const rpm = at(base.rpm).map((value, i) => Math.min(value, limiter(i)))
  for (const startS of count('wheelspins', times(4))) {
    over(startS, between(0.3, 1.5), (i, share) => {
      rpm[i] = Math.min(limiter(i), rpm[i]! * (1 + 0.5 * Math.sin(Math.PI * share)))
    })
  }
  for (const startS of count('missed gears', times(1)))
    over(startS, 0.3, i => (rpm[i] = 1.25 * base.redLineRpm))

  // The rows of the file: every few ticks, some missing, some positions late by a tick.
  const kept: number[] = []
  const lost = random() < 0.5 ? 0 : 0.02
  for (let i = 0; i < rows; i += fine / hz) if (random() >= lost) kept.push(i)
  const late = new Set(times(3).map(startS => Math.floor((startS / seconds) * kept.length)))
  const positionRow = kept.map((row, i) => (late.has(i) && i > 0 ? kept[i - 1]! : row))
  const pct = at(base.pct)
  const isIn = (row: number): boolean => pct[row]! >= 1 && pct[row]! < 2
  const columns = columnsOf(kept.length, {
    SessionTime: ['double', i => 500 + kept[i]! / fine],
    SessionTick: ['int', i => 30_000 + Math.floor((60 * kept[i]!) / fine)],
    LapDistPct: ['float', i => pct[kept[i]!]! % 1],
    Lat: ['double', i => 50 + Math.round((northM[positionRow[i]!]! / 111_195) * 1e7) / 1e7],
    Lon: ['double', i => 8 + Math.round((eastM[positionRow[i]!]! / M_PER_DEGREE_EAST) * 1e7) / 1e7],
    Alt: ['float', i => altM[positionRow[i]!]!],
    Speed: ['float', i => speedMps[kept[i]!]!],
    Yaw: ['float', i => wrapped(yawRad[kept[i]!]! - 1)],
    YawRate: ['float', i => turnRate[kept[i]!]! * Math.cos(rollRad[kept[i]!]!) + noise(0.02)],
    PitchRate: ['float', i => turnRate[kept[i]!]! * Math.sin(rollRad[kept[i]!]!) + noise(0.02)],
    Roll: ['float', i => rollRad[kept[i]!]!],
    LongAccel: ['float', i => alongMps2[kept[i]!]!],
    LatAccel: ['float', i => acrossMps2[kept[i]!]!],
    RPM: ['float', i => rpm[kept[i]!]!],
    Gear: ['int', i => base.gear[Math.floor((60 * kept[i]!) / fine)]!],
    FuelLevel: ['float', i => 40 - (0.04 * kept[i]!) / fine],
  })
  const first = kept.findIndex(isIn)
  const last = kept.findLastIndex(isIn)
  const timeS = (kept[last]! - kept[first]!) / fine
  return {
    columns,
    facts: { trackLengthM: base.lengthM, redLineRpm: base.redLineRpm },
    lap: {
      lap: 2,
      is_completed: true,
      is_clean: true,
      reasons: [],
      time_s: timeS,
      time_fmt: '',
      time_source: 'official',
      row_start: first,
      row_end: last,
      incidents: [],
      session_num: 0,
      session_name: null,
    },
    what: `${happened.join(', ')}${base.isFigureOfEight ? ', figure of eight' : ''}, seed ${seed}`,
  }
}

const GRAVITY = 9.80665
const M_PER_DEGREE_EAST = 111_195 * Math.cos((50 * Math.PI) / 180)

/** Returns a uniform cubic B-spline: twice differentiable, so that accelerations have no steps. */
function spline(values: Float64Array, at: number): number {
  const i = Math.floor(at) + 1
  const u = at - Math.floor(at)
  const [a, b, c, d] = [values[i - 1]!, values[i]!, values[i + 1]!, values[i + 2]!]
  return (
    ((1 - u) ** 3 * a +
      (3 * u ** 3 - 6 * u * u + 4) * b +
      (-3 * u ** 3 + 3 * u * u + 3 * u + 1) * c +
      u ** 3 * d) /
    6
  )
}

function slopes(values: Float64Array, hz: number): Float64Array {
  const last = values.length - 1
  return values.map((_, i) => {
    const a = Math.max(0, i - 1)
    const b = Math.min(last, i + 1)
    return ((values[b]! - values[a]!) * hz) / (b - a)
  })
}

const ARRAYS = { int: Int32Array, float: Float32Array, double: Float64Array }

function columnsOf(
  rows: number,
  channels: Readonly<Record<string, readonly [keyof typeof ARRAYS, (row: number) => number]>>,
): Columns {
  const byName = new Map<string, Column>()
  for (const [name, [type, value]] of Object.entries(channels)) {
    const values: ColumnValues = new ARRAYS[type](rows)
    for (let row = 0; row < rows; row++) values[row] = value(row)
    byName.set(name, { name, type: type as VariableType, count: 1, unit: '', values })
  }
  return { rows, byName }
}
