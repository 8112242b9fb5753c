import type { Corner, LapTrack } from '@lapwing/telemetry/compare'

import { bestGear, type Car, LAPWING_GT } from '../car.ts'
import { buildCircuit, type Circuit, GREYWATER_PARK, type Road } from '../circuit.ts'
import { driveStint } from '../drive-stint.ts'
import { type Mistake, planStint, type StintPlan } from '../plan-stint.ts'
import { randomFrom } from '../random.ts'
import { speedProfile } from '../speed-profile.ts'
import { lapTracks } from './lap-tracks.ts'

/** One mistake of a driver, in one corner. */
export const MISTAKES = ['early_brake', 'late_throttle', 'wide_exit', 'missed_gear'] as const
export type MistakeKind = (typeof MISTAKES)[number]

/** A road that a driver knows. */
export interface KnownRoad {
  readonly circuit: Circuit
  readonly car: Car
  readonly seed: number
  /** A lap without mistakes. */
  readonly reference: LapTrack
  /** More of them, with small differences everywhere, as no two laps are the same. */
  readonly moods: readonly Mood[]
}

interface Mood {
  readonly habits: readonly Mistake[]
  readonly timeMs: number
}

/** Greywater Park and its mirror image, both ways round, small and large. */
const ROADS: readonly Road[] = [1, 1.35].flatMap(size =>
  [1, -1].flatMap(side =>
    [1, -1].map((way): Road => {
      const pieces = GREYWATER_PARK.pieces.map(([first, second]) =>
        first === 'straight' ? ([first, size * second] as const) : ([size * first, side * second] as const),
      )
      return { ...GREYWATER_PARK, pieces: way === 1 ? pieces : pieces.toReversed() }
    }),
  ),
)

/** Returns the roads, each with a car of its own. */
export function knownRoads(): readonly KnownRoad[] {
  return ROADS.map((road, i) => {
    const circuit = buildCircuit(road)
    const car = { ...LAPWING_GT, grip: 1.2 + 0.06 * i, massKg: 1000 + 60 * i }
    const seed = 100 + 10 * i
    const drive = (habits: readonly Mistake[]): LapTrack => {
      const plan = planOf({ circuit, car, seed }, habits)
      return lapTracks(plan, circuit, driveStint(plan, circuit))[0]!
    }
    const random = randomFrom(seed)
    const between = (low: number, high: number): number => low + (high - low) * random()
    const moods = Array.from({ length: MOODS }, (): Mood => {
      const habits = Array.from({ length: 6 }, (): Mistake => {
        const [asideM, grip] = [between(-0.35, 0.35), between(0.985, 1)]
        return { lap: 1, at: random(), overM: 120, asideM, grip }
      })
      return { habits, timeMs: drive(habits).timeMs }
    })
    return { circuit, car, seed, reference: drive([]), moods }
  })
}

const MOODS = 5

/** Plans a run-up, a lap and the first metres of the next. */
function planOf(
  { circuit, car, seed }: Pick<KnownRoad, 'circuit' | 'car' | 'seed'>,
  mistakes: readonly Mistake[],
): StintPlan {
  const laps = [0, 1, 2].map(lap => ({ pace: 0.96, seed: seed + lap }))
  return planStint(circuit, car, { laps, mistakes, startsAt: 0.8, isFromPits: false, stopsAt: 0.05 })
}

/** A lap with one mistake, and the milliseconds that it cost. */
export interface MistakenLap {
  readonly track: LapTrack
  readonly costMs: number
}

/**
 * Drives a lap with one mistake of random size, in one of the road's moods. Returns null if the corner leaves no room
 * for the mistake.
 */
export function mistakenLap(
  road: KnownRoad,
  corners: readonly Corner[],
  at: number,
  kind: MistakeKind,
  seed: number,
): MistakenLap | null {
  const random = randomFrom(seed)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const { circuit, car } = road
  const { habits, timeMs } = road.moods[Math.floor(road.moods.length * random())]!
  const driven = (plan: StintPlan, drive = driveStint(plan, circuit)): MistakenLap => {
    const track = lapTracks(plan, circuit, drive)[0]!
    return { track, costMs: track.timeMs - timeMs }
  }
  const corner = corners[at]!
  const perLap = circuit.eastM.length
  const nextPct = corners[at + 1]?.startPct ?? 1
  const exitM = (nextPct - corner.endPct) * circuit.lengthM
  if (kind === 'wide_exit') {
    if (exitM < 150) return null
    const outwards = corner.direction === 'left' ? -1 : 1
    const wide = { asideM: outwards * between(2, 4), grip: between(0.84, 0.92), overM: between(55, 75) }
    const plan = planOf(road, [...habits, { lap: 1, at: corner.endPct, ...wide }])
    return driven(plan)
  }

  const plan = planOf(road, habits)
  const profile = speedProfile(plan, circuit)
  const sampleOf = (pct: number): number => Math.round((1 + pct) * perLap) - plan.start
  const samplesOf = (metres: number): number => Math.round(metres / circuit.stepM)
  const nextStart = sampleOf(nextPct)
  let apex = sampleOf(corner.startPct)
  for (let i = apex; i <= sampleOf(corner.endPct); i++) if (profile[i]! < profile[apex]!) apex = i
  if (apex === sampleOf(corner.endPct)) return null
  // Where the car begins to gain speed, and where it began to lose it.
  let exit = apex
  while (profile[exit + 1]! - profile[exit]! < 0.02 && exit < nextStart) exit++
  let braking = apex
  while (profile[braking - 1]! > profile[braking]! - 0.05 && braking > 1) braking--

  if (kind === 'early_brake') {
    const early = samplesOf(between(10, 35))
    const before = at === 0 ? sampleOf(0) : sampleOf(corners[at - 1]!.endPct)
    if (profile[braking]! - profile[apex]! < 10 || braking - early < before + samplesOf(20)) return null
    for (let i = braking - early; i <= apex; i++) plan.limitMps[i] = profile[Math.min(apex, i + early)]!
  } else if (kind === 'late_throttle') {
    const late = samplesOf(between(10, 30))
    if (nextStart - exit < samplesOf(120) || profile[exit + samplesOf(60)]! - profile[exit]! < 5) return null
    // The engine slows a car that coasts.
    for (let i = 0; i <= late; i++) {
      plan.limitMps[exit + i] = Math.sqrt(profile[exit]! ** 2 - 2 * 0.8 * i * circuit.stepM)
    }
  } else {
    const shift = upshiftAfter(profile, exit, nextStart - samplesOf(150), car)
    if (shift === null) return null
    const gone = missShift(plan, circuit, { profile, shift, seconds: between(0.5, 0.9) })
    const drive = driveStint(plan, circuit)
    for (let t = 0; t < drive.ticks; t++) {
      if (drive.at[t]! < shift || drive.at[t]! > shift + gone) continue
      drive.gear[t] = 0
      // The foot stays down, and the engine without load reaches its limit.
      drive.throttle[t] = 1
      drive.rpm[t] = car.redLineRpm
    }
    return driven(plan, drive)
  }
  return driven(plan)
}

/** Returns the sample of the first upshift between two samples; null if there is none. */
function upshiftAfter(profile: Float64Array, from: number, to: number, car: Car): number | null {
  for (let i = from + 1; i < to; i++) {
    if (bestGear(car, profile[i]!) > bestGear(car, profile[i - 1]!)) return i
  }
  return null
}

/** Lets the car roll from a sample on, and returns over how many samples. */
function missShift(
  plan: StintPlan,
  { stepM }: Circuit,
  {
    profile,
    shift,
    seconds,
  }: { readonly profile: Float64Array; readonly shift: number; readonly seconds: number },
): number {
  const { drag, rollingN, massKg } = plan.car
  let mps = profile[shift]!
  let samples = 0
  for (let passedS = 0; passedS < seconds; samples++) {
    plan.limitMps[shift + samples] = mps
    passedS += stepM / mps
    mps -= (((drag * mps * mps + rollingN) / massKg) * stepM) / mps
  }
  return samples
}
