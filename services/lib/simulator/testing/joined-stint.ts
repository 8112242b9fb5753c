import { type LapTrack, MINI_SECTORS } from '@lapwing/telemetry/compare'
import { LAPWING_GT } from '../car.ts'
import { buildCircuit, type Circuit, type Road } from '../circuit.ts'
import { driveStint } from '../drive-stint.ts'
import { bendLine, planStint, type StintPlan } from '../plan-stint.ts'
import { lapTracks } from './lap-tracks.ts'

/** A part of the lap, driven as in one of the laps. */
interface Part {
  readonly lap: number
  readonly fromPct: number
  readonly toPct: number
}

/** A stint whose laps can be driven again in parts. */
export interface JoinableStint {
  readonly laps: readonly LapTrack[]
  /** Drives a lap with the line and the grip of these parts, as fast as the car can then go. */
  driveParts(parts: readonly Part[]): LapTrack
  /** Drives a lap with the line of these parts and the most grip that the driver used there in any lap. */
  driveBest(parts: readonly Part[]): LapTrack
}

/** Shares of a lap that are driven before and after it. */
const RUN_UP = 0.2
const RUN_OUT = 0.05

/** Seconds before and after a join in which the car moves over. */
const MOVE_S = 1

/** Drives laps of one driver, each with moods of its own. */
export function joinableStint(road: Road, count: number, seed: number): JoinableStint {
  const circuit = buildCircuit(road)
  const plan = planStint(circuit, LAPWING_GT, {
    laps: Array.from({ length: count + 2 }, (_, i) => ({ pace: 0.94, seed: seed + i })),
    mistakes: [],
    startsAt: 1 - RUN_UP,
    isFromPits: false,
    stopsAt: RUN_OUT,
  })
  const laps = lapTracks(plan, circuit, driveStint(plan, circuit))
  const drive = (parts: readonly Part[], isBest: boolean): LapTrack => {
    const joined = joinedPlan(plan, circuit, { parts, isBest, laps })
    return lapTracks(joined, circuit, driveStint(joined, circuit))[0]!
  }
  return { laps, driveParts: parts => drive(parts, false), driveBest: parts => drive(parts, true) }
}

interface Joining {
  readonly parts: readonly Part[]
  readonly laps: readonly LapTrack[]
  readonly isBest: boolean
}

function joinedPlan(plan: StintPlan, circuit: Circuit, { parts, laps, isBest }: Joining): StintPlan {
  const perLap = circuit.eastM.length
  const runUp = Math.round(RUN_UP * perLap)
  const count = runUp + perLap + Math.round(RUN_OUT * perLap)
  const empty = () => new Float64Array(count)
  const joined: StintPlan = {
    car: plan.car,
    start: perLap - runUp,
    aside: empty(),
    curvature: empty(),
    stretch: empty(),
    grip: empty(),
    braking: empty(),
    limitMps: empty().fill(1000),
    zone: new Uint8Array(count),
  }
  /** Sample of the stint at a place of a lap; -0.1 is before its line. */
  const sampleOf = (lap: number, at: number): number => (lap + 1) * perLap - plan.start + at
  for (let i = 0; i < count; i++) {
    const at = i - runUp
    const pct = at / perLap
    const part = parts.find(({ toPct }) => pct < toPct) ?? parts.at(-1)!
    const own = sampleOf(part.lap, at)
    joined.aside[i] = asideAt(pct)
    joined.grip[i] = plan.grip[own]!
    joined.braking[i] = plan.braking[own]!
    if (!isBest) continue
    for (let lap = 0; lap < laps.length; lap++) {
      joined.grip[i] = Math.max(joined.grip[i]!, plan.grip[sampleOf(lap, at)]!)
      joined.braking[i] = Math.max(joined.braking[i]!, plan.braking[sampleOf(lap, at)]!)
    }
  }
  bendLine(joined, circuit)
  return joined

  function asideAt(pct: number): number {
    const lineOf = (lap: number): number => plan.aside[sampleOf(lap, Math.round(pct * perLap))]!
    for (let next = 1; next < parts.length; next++) {
      const [a, b] = [parts[next - 1]!, parts[next]!]
      const { speed } = laps[a.lap]!
      const mps = speed![Math.round(b.fromPct * (speed!.length - 1))]!
      const half = Math.min(1 / MINI_SECTORS / 2, (MOVE_S * mps) / circuit.lengthM)
      const x = (pct - b.fromPct + half) / (2 * half)
      if (x >= 0 && x <= 1) {
        const share = x * x * (3 - 2 * x)
        return lineOf(a.lap) + (lineOf(b.lap) - lineOf(a.lap)) * share
      }
    }
    return lineOf((parts.find(({ toPct }) => pct < toPct) ?? parts.at(-1)!).lap)
  }
}
