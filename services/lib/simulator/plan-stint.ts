import { smooth } from '@lapwing/telemetry/smooth'
import type { Car } from './car.ts'
import { type Circuit, HALF_WIDTH_M } from './circuit.ts'
import { smoothNoise } from './random.ts'

/** What the driver plans to do over the whole stint; one sample for each `stepM` of the circuit. */
export interface StintPlan {
  readonly car: Car
  /** Index in the circuit of the first sample. */
  readonly start: number
  /** Metres to the left of the ideal line. */
  readonly aside: Float64Array
  /** 1/m of the line that is driven, positive to the left. */
  readonly curvature: Float64Array
  /** Metres driven for each metre of the ideal line. */
  readonly stretch: Float64Array
  /** Share of the tyres' grip that the driver uses; low on grass. */
  readonly grip: Float64Array
  /** Share of that grip used for braking. */
  readonly braking: Float64Array
  /** m/s; the pit road's limit, or unreachably high elsewhere. */
  readonly limitMps: Float64Array
  readonly zone: Uint8Array
}

export const ZONE = { TRACK: 0, GRASS: 1, PIT_ROAD: 2, PIT_EXIT: 3 } as const

/** What a driver does from leaving the pits until the recording stops. */
export interface Stint {
  /**
   * Pace of each lap, as a share of the grip, and the seed of its variations. The last lap is not finished.
   */
  readonly laps: readonly { readonly pace: number; readonly seed: number }[]
  readonly mistakes: readonly Mistake[]
  /** Share of the first lap at which the car waits before it moves off, in its pit stall or on the track. */
  readonly startsAt: number
  readonly isFromPits: boolean
  /** Share of the last lap at which the recording stops. */
  readonly stopsAt: number
}

/**
 * A mistake: its lap, its share of the lap, its length, the distance to the left, and the share of the grip.
 */
export interface Mistake {
  readonly lap: number
  readonly at: number
  readonly overM: number
  readonly asideM: number
  readonly grip: number
  /** The driver slows to this speed. */
  readonly limitMps?: number
}

const PIT_ASIDE_M = -15
const PIT_LIMIT_MPS = 20

/** Plans the stint: the ideal line at full grip, changed by the driver's moods, habits and mistakes. */
export function planStint(circuit: Circuit, car: Car, stint: Stint): StintPlan {
  const perLap = circuit.eastM.length
  const { stepM } = circuit
  const { laps } = stint
  const start = Math.round(stint.startsAt * perLap)
  const count = (laps.length - 1) * perLap + Math.round(stint.stopsAt * perLap) - start
  const plan = {
    car,
    start,
    aside: new Float64Array(count),
    curvature: new Float64Array(count),
    stretch: new Float64Array(count),
    grip: new Float64Array(count),
    braking: new Float64Array(count),
    limitMps: new Float64Array(count).fill(1000),
    zone: new Uint8Array(count),
  }
  const drift = laps.map(({ seed }) => smoothNoise(seed, 210))
  const nerve = laps.map(({ seed }) => smoothNoise(seed + 1000, 160))
  const touch = laps.map(({ seed }) => smoothNoise(seed + 3000, 48))
  const foot = laps.map(({ seed }) => smoothNoise(seed + 2000, 320))

  for (let i = 0; i < count; i++) {
    const lap = Math.floor((start + i) / perLap)
    const alongM = ((start + i) % perLap) * stepM
    const { pace } = laps[lap]!
    plan.aside[i] = 0.7 * blend(drift, lap, alongM, circuit.lengthM)
    plan.grip[i] =
      pace +
      0.03 * blend(nerve, lap, alongM, circuit.lengthM) +
      0.016 * blend(touch, lap, alongM, circuit.lengthM)
    plan.braking[i] = 0.915 + 0.085 * blend(foot, lap, alongM, circuit.lengthM)
  }
  for (const event of stint.mistakes) {
    const centre = event.lap * perLap + event.at * perLap - start
    const half = event.overM / stepM
    for (let i = Math.floor(centre - half); i < centre + half; i++) {
      const bump = 0.5 + 0.5 * Math.cos((Math.PI * (i - centre)) / half)
      plan.aside[i] = plan.aside[i]! + event.asideM * bump
      plan.grip[i] = plan.grip[i]! * (1 - (1 - event.grip) * bump)
      if (event.limitMps !== undefined) plan.limitMps[i] = event.limitMps / (0.05 + 0.95 * bump)
    }
  }
  if (stint.isFromPits) leavePits(plan.aside, plan.limitMps, plan.zone, start, circuit)
  for (let i = 0; i < count; i++) {
    const edgeM = circuit.offsetM[(start + i) % perLap]! + plan.aside[i]!
    // All four wheels over the line.
    if (plan.zone[i] === ZONE.TRACK && Math.abs(edgeM) > HALF_WIDTH_M + 1) plan.zone[i] = ZONE.GRASS
  }
  bendLine(plan, circuit)
  return plan
}

/** Returns the noise of this lap, blended from that of the last lap over the first 200 m. */
function blend(
  noises: readonly ((x: number) => number)[],
  lap: number,
  alongM: number,
  lengthM: number,
): number {
  const own = noises[lap]!(alongM)
  if (lap === 0 || alongM > 200) return own
  const share = alongM / 200
  return noises[lap - 1]!(alongM + lengthM) * (1 - share) + own * share
}

/**
 * Leads the line out of the pits: the pit road runs inside the straight, and its exit joins before the first
 * corner.
 */
function leavePits(
  aside: Float64Array,
  limitMps: Float64Array,
  zone: Uint8Array,
  start: number,
  { stepM, offsetM }: Circuit,
): void {
  for (let i = 0; ; i++) {
    const alongM = (start + i) * stepM
    if (alongM > PIT_JOIN_M) return
    const share = Math.min(1, Math.max(0, (alongM - PIT_END_M) / (PIT_JOIN_M - PIT_END_M)))
    const out = share * share * (3 - 2 * share)
    aside[i] = (PIT_ASIDE_M - offsetM[start + i]!) * (1 - out) + aside[i]! * out
    zone[i] = alongM < PIT_END_M ? ZONE.PIT_ROAD : ZONE.PIT_EXIT
    if (alongM < PIT_END_M) limitMps[i] = PIT_LIMIT_MPS
  }
}

const PIT_END_M = 150
const PIT_JOIN_M = 262

/** Computes curvature and length of a line beside another: κ' = κ / (1 - κ d) + d''. */
export function bendLine(plan: StintPlan, { stepM, curvature }: Circuit): void {
  const perLap = curvature.length
  const aside = smooth(plan.aside, 3, false)
  for (let i = 0; i < aside.length; i++) {
    plan.aside[i] = aside[i]!
    const before = aside[Math.max(0, i - 1)]!
    const after = aside[Math.min(aside.length - 1, i + 1)]!
    const k = curvature[(plan.start + i) % perLap]!
    const along = 1 - k * aside[i]!
    const slope = (after - before) / (2 * stepM)
    plan.stretch[i] = Math.hypot(along, slope)
    plan.curvature[i] = k / along + (after - 2 * aside[i]! + before) / (stepM * stepM)
  }
  plan.curvature.set(smooth(plan.curvature, 2, false))
}
