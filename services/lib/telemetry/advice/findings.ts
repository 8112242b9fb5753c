import { type CornerComparison, compareCorners } from '../compare/compare-corners.ts'
import { type CornerFigures, mannerOf } from '../compare/corner-figures.ts'
import { deltaTrace, valueAt } from '../compare/delta-trace.ts'
import type { LapTrack } from '../compare/lap-track.ts'
import type { Corner } from '../corners/corner.ts'
import { type LapPair, longestNeutralS, outside, unlikeOnExit } from './exit-traces.ts'

/** What the driver can do to save the time, with its amount. */
export type AdviceAction =
  | { readonly kind: 'brake_later' | 'lift_later'; readonly metres: number }
  | { readonly kind: 'lift_only' | 'stay_flat' | 'hold_throttle' }
  | { readonly kind: 'carry_speed'; readonly mps: number; readonly otherMps: number }
  | { readonly kind: 'throttle_earlier' | 'full_throttle_earlier'; readonly metres: number }
  | { readonly kind: 'run_tighter'; readonly metres: number }
  | { readonly kind: 'shift_faster'; readonly neutralS: number }
  | { readonly kind: 'use_gear'; readonly gear: number; readonly ownGear: number }

/** Time that a lap lost to another in one part, with the cause that the figures show. */
export interface Finding {
  readonly action: AdviceAction
  /** The corner; null on the straight from the line to the first one. */
  readonly corner: Corner | null
  /** From where to where the loss arises, as shares of the lap. */
  readonly fromPct: number
  readonly toPct: number
  /** Milliseconds; what the whole corner with the straight after it lost, if that is less. */
  readonly gainMs: number
}

/** Milliseconds. A smaller loss is within what a driver does differently each lap. */
export const LEAST_GAIN_MS = 30

/**
 * Finds where a lap lost time to another, and why. Each corner has a way in, up to its apex, and a way out, up to where
 * the next corner begins for either driver. Each way gives at most one finding. A part with an incident of either lap
 * gives none. Returns them in driving order; none if a length is unknown.
 */
export function findingsOf(corners: readonly Corner[], lap: LapTrack, other: LapTrack): readonly Finding[] {
  const lengthM = lap.lengthM ?? other.lengthM
  if (lengthM === null || corners.length === 0) return []
  const stretches = compareCorners(corners, lap, other)
  const turns = stretches.filter(isTurn)
  const incidents = stretches.filter(({ kind }) => kind === 'incident')
  const { delta } = deltaTrace(lap, other)
  const lossMs = (fromM: number, toM: number): number =>
    1000 * (valueAt(delta, toM / lengthM) - valueAt(delta, fromM / lengthM))
  const isFree = (fromM: number, toM: number): boolean =>
    incidents.every(({ startPct, endPct }) => endPct * lengthM <= fromM || startPct * lengthM >= toM)

  const begins = turns.map((turn, i) => beginOf(turn, turns[i - 1]?.corner ?? null, lengthM))
  const pair = { lap, other, lengthM }
  const findings: Finding[] = []
  const add = (
    action: AdviceAction | null,
    corner: Corner | null,
    [fromM, toM]: readonly [number, number],
    gainMs: number,
  ): void => {
    if (action === null || gainMs < LEAST_GAIN_MS || !isFree(fromM, toM)) return
    findings.push({
      action,
      corner,
      fromPct: fromM / lengthM,
      toPct: toM / lengthM,
      gainMs: Math.round(gainMs),
    })
  }

  const start = [0, begins[0] ?? lengthM] as const
  const lostAtStart = lossMs(...start)
  if (lostAtStart >= LEAST_GAIN_MS) add(straightCause(pair, ...start), null, start, lostAtStart)
  turns.forEach((turn, i) => {
    const apexM = turn.corner.apexPct * lengthM
    const way = { in: [begins[i]!, apexM], out: [apexM, begins[i + 1] ?? lengthM] } as const
    const [lostIn, lostOut] = [lossMs(...way.in), lossMs(...way.out)]
    // Time that was lost on one way and gained back on the other is not to be saved.
    const most = lostIn + lostOut
    const actionIn = lostIn >= LEAST_GAIN_MS ? entryCause(turn, pair, way.in, lostIn) : null
    const actionOut = lostOut >= LEAST_GAIN_MS ? exitCause(turn, pair, way.out, lostOut) : null
    if (actionOut?.kind === 'carry_speed' && (actionIn === null || actionIn.kind === 'carry_speed')) {
      // A car that is too slow at the apex is too slow on both sides of it: one cause.
      const whole = [actionIn === null ? apexM : way.in[0], way.out[1]] as const
      add(actionOut, turn.corner, whole, actionIn === null ? Math.min(lostOut, most) : most)
      return
    }
    add(actionIn, turn.corner, way.in, Math.min(lostIn, most))
    add(actionOut, turn.corner, way.out, Math.min(lostOut, most))
  })
  return findings
}

/** A corner in which both laps show something. */
type Turn = CornerComparison & {
  readonly corner: Corner
  readonly lap: CornerFigures
  readonly reference: CornerFigures
}

const isTurn = (stretch: CornerComparison): stretch is Turn => stretch.kind === 'corner'

/** Metres before the first driver's pedal moves, so that all of its loss is in the corner. */
const BEFORE_M = 5

/** Returns where the corner begins for either driver, in metres: no earlier than the corner before it ends. */
function beginOf({ corner, lap, reference }: Turn, before: Corner | null, lengthM: number): number {
  const places = [lap.liftM, lap.brakeM, reference.liftM, reference.brakeM].filter(place => place !== null)
  const firstM = Math.min(corner.startPct * lengthM, ...places) - BEFORE_M
  return Math.max((before?.endPct ?? 0) * lengthM, firstM)
}

/** Metres. The figures of a lap are right within two. */
const LEAST_M = 3
/** Metres. A place that differs by more is no habit: another line, traffic, or a figure of another action. */
const MOST_M = 60
/** m/s. Less is not shown in whole km/h. */
const LEAST_MPS = 0.3
/** Share of a loss that a place must explain, by a rough estimate, to be its cause. */
const EXPLAINS = 0.3

/** Names why the way to the apex cost time; null if the figures show no reason. */
function entryCause(
  turn: Turn,
  pair: LapPair,
  [fromM, toM]: readonly [number, number],
  lostMs: number,
): AdviceAction | null {
  const { lap, reference } = turn
  const { other, lengthM } = pair
  // Also on the way into a fast corner, where cars still gain speed.
  const shift = slowShift(pair, fromM, toM)
  if (shift !== null) return shift
  const [own, its] = [mannerOf(lap), mannerOf(reference)]
  if (its === 'flat' && (own === 'brake' || own === 'lift')) return { kind: 'stay_flat' }
  if (its === 'lift' && own === 'brake') return { kind: 'lift_only' }

  const explained = (metres: number, fromM: number): boolean =>
    1000 * slowerFor(metres, speedAt(other, fromM, lengthM), lap.minSpeedMps) >= EXPLAINS * lostMs
  const brakeM = earlier(lap.brakeM, reference.brakeM)
  if (brakeM > 0 && explained(brakeM, reference.brakeM!)) return { kind: 'brake_later', metres: brakeM }
  const liftM = own === its ? earlier(lap.liftM, reference.liftM) : 0
  const isLift = own === 'lift' && liftM > 0 && explained(liftM, reference.liftM!)
  if (isLift) return { kind: 'lift_later', metres: liftM }
  return carryMore(turn)
}

/** Names why the way out and the straight after it cost time; null if the traces show no reason. */
function exitCause(
  turn: Turn,
  pair: LapPair,
  [fromM, toM]: readonly [number, number],
  lostMs: number,
): AdviceAction | null {
  const { lap, reference, corner } = turn
  const shift = slowShift(pair, fromM, toM)
  if (shift !== null) return shift

  const wide = outside(pair, corner, toM)
  const wideM = wide.slowerMps >= LEAST_MPS ? wide.metres : 0
  if (wideM >= WIDE_M) return { kind: 'run_tighter', metres: Math.round(wideM) }

  // A metre without drive costs the difference between the apex's speed and that at the straight's end.
  const lastMps = speedAt(pair.other, toM, pair.lengthM)
  const explained = (metres: number): boolean =>
    1000 * slowerFor(metres, lastMps, lap.minSpeedMps) >= EXPLAINS * lostMs
  const exit = unlikeOnExit(pair, [fromM, toM], {
    own: lap.throttleM ?? fromM,
    its: reference.throttleM ?? fromM,
  })
  const throttleM = Math.max(earlier(reference.throttleM, lap.throttleM), within(exit.pressedLaterM))
  // What a slow apex costs up to the straight's end explains more than a pedal that comes a little later.
  const slow = carryMore(turn)
  const slowS = slow === null ? 0 : slowExitS(pair, [fromM, toM], turn)
  if (slowS > slowerFor(throttleM, lastMps, lap.minSpeedMps) && 1000 * slowS >= EXPLAINS * lostMs) return slow
  if (throttleM > 0 && explained(throttleM)) return { kind: 'throttle_earlier', metres: throttleM }
  const fullM = within(exit.fullLaterM)
  if (fullM >= LEAST_FULL_M && explained(fullM)) return { kind: 'full_throttle_earlier', metres: fullM }
  if (exit.easedS > 0) return { kind: 'hold_throttle' }
  if (exit.gear !== null) return { kind: 'use_gear', ...exit.gear }
  return slow
}

/**
 * Estimates the seconds that a lower speed at the apex costs on the way out, if the car gains speed with the same force
 * as the other.
 */
function slowExitS(
  { other, lengthM }: LapPair,
  [fromM, toM]: readonly [number, number],
  { lap, reference }: Turn,
): number {
  const missing = reference.minSpeedMps! ** 2 - lap.minSpeedMps! ** 2
  let seconds = 0
  for (let metre = fromM + 0.5; metre < toM; metre++) {
    const mps = speedAt(other, metre, lengthM)
    const own = Math.sqrt(mps * mps - missing)
    // Where either driver slows again, the difference ends.
    if (own > 0) seconds += 1 / own - 1 / mps
  }
  return seconds
}

/** Metres. Lines of one driver differ by half of it from lap to lap. */
const WIDE_M = 1.5
/** Metres. A squeeze is less exact than its begin. */
const LEAST_FULL_M = 5

/** On the straight from the line only gears and throttle can differ; the corner before it is of another lap. */
function straightCause(pair: LapPair, fromM: number, toM: number): AdviceAction | null {
  const shift = slowShift(pair, fromM, toM)
  if (shift !== null) return shift
  const { easedS } = unlikeOnExit(pair, [fromM, toM], { own: fromM, its: fromM })
  return easedS > 0 ? { kind: 'hold_throttle' } : null
}

/** Seconds. Shifts of one driver in one car differ by less. */
const LEAST_NEUTRAL_S = 0.2

function slowShift({ lap, other, lengthM }: LapPair, fromM: number, toM: number): AdviceAction | null {
  const part = { startPct: fromM / lengthM, endPct: toM / lengthM }
  const neutralS = longestNeutralS(lap, part)
  return neutralS - longestNeutralS(other, part) >= LEAST_NEUTRAL_S
    ? { kind: 'shift_faster', neutralS }
    : null
}

function carryMore({ lap, reference }: Turn): AdviceAction | null {
  if (lap.minSpeedMps === null || reference.minSpeedMps === null) return null
  const mps = reference.minSpeedMps - lap.minSpeedMps
  return mps >= LEAST_MPS ? { kind: 'carry_speed', mps, otherMps: reference.minSpeedMps } : null
}

/** Returns by how many whole metres one place comes before another; 0 if it does not, or by too much. */
function earlier(first: number | null, second: number | null): number {
  return first === null || second === null ? 0 : within(Math.round(second) - Math.round(first))
}

function within(metres: number): number {
  return metres >= LEAST_M && metres <= MOST_M ? Math.round(metres) : 0
}

/** Returns the seconds that so many metres cost at a low speed in place of a high one; 0 if one is unknown. */
function slowerFor(metres: number, highMps: number, lowMps: number | null): number {
  const seconds = lowMps === null ? 0 : metres * (1 / lowMps - 1 / highMps)
  return Number.isFinite(seconds) ? seconds : 0
}

function speedAt({ speed }: LapTrack, metre: number, lengthM: number): number {
  return speed === undefined ? Number.NaN : valueAt(speed, metre / lengthM)
}
