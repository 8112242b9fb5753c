import type { CornerBounds } from '../corners/corner.ts'
import { valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'
import {
  brakePresses,
  brakings,
  easePoint,
  isHeld,
  liftPoint,
  pressedAt,
  pressPoint,
  type Run,
  releasedAt,
  throttleApplications,
} from './pedal-runs.ts'

/**
 * What a driver did in one corner: the figures that show a coach why time was lost. A figure is null if the
 * lap lacks the channel or its driver did not do it. Distances are in metres from the line, and null if the
 * length of the lap is unknown.
 */
export interface CornerFigures {
  /** Speed at the corner's begin, m/s, also if the car is slow there after an incident. */
  readonly entrySpeedMps: number | null
  /** Where the driver lifted, or eased off by a fifth; null in a corner without either. */
  readonly liftM: number | null
  /** True if the driver stayed on the throttle from the corner's begin to its apex, without a brake. */
  readonly isFlat: boolean
  /**
   * Where the first braking after the lift began; null if it began before the line. Dabs closer than half a
   * second are one braking.
   */
  readonly brakeM: number | null
  /** Where the brake was released for the last time before the exit. */
  readonly releaseM: number | null
  /** Place of the lowest speed in the corner. */
  readonly apexM: number | null
  /** Lowest speed in the corner, m/s. In a corner through which the car does not slow: that at its apex. */
  readonly minSpeedMps: number | null
  /** Where the first application of the throttle that lasts began; null in a corner without a lift. */
  readonly throttleM: number | null
  /** Speed at the corner's end, m/s. A slow exit costs time along the whole straight after it. */
  readonly exitSpeedMps: number | null
}

/** How a driver slows for a corner. */
export type Manner = 'brake' | 'lift' | 'flat'

/** Returns how a driver slowed for a corner; null if it is unknown. One who brakes has lifted, too. */
export function mannerOf({ brakeM, releaseM, liftM, isFlat }: CornerFigures): Manner | null {
  if (brakeM !== null || releaseM !== null) return 'brake'
  if (liftM !== null) return 'lift'
  return isFlat ? 'flat' : null
}

/** A part of the lap, as shares of it. */
export interface Part {
  readonly startPct: number
  readonly endPct: number
}

/**
 * Returns a lap's figures in each of these corners, in their order; distances in metres of a lap of
 * `lengthM`. Parts in `without` say nothing about a corner: there the car was off the track, or slow after
 * it.
 */
export function cornerFigures(
  { pct, time, speed, brake, throttle }: LapTrack,
  corners: readonly CornerBounds[],
  lengthM: number | null,
  without: readonly Part[] = [],
): readonly CornerFigures[] {
  const last = pct.length - 1
  const at = (share: number): number => Math.round(share * last)
  const metres = (i: number | null | undefined): number | null =>
    i == null || lengthM === null ? null : (i / last) * lengthM
  const isOut = (i: number): boolean =>
    without.some(({ startPct, endPct }) => i >= startPct * last && i <= endPct * last)

  const presses = brake === undefined ? null : brakePresses(brake)
  const applications = throttle === undefined ? null : throttleApplications(throttle, brake, time)

  return corners.map(({ startPct, apexPct, endPct }, index) => {
    const start = at(startPct)
    // A driver may lift and brake while another is still on the straight, but not before the apex of the
    // corner before. The throttle may be back on only on the straight, but not after the next apex.
    const from = at(beginOf(corners[index - 1]?.apexPct ?? 0, startPct, without))
    const to = at(corners[index + 1]?.apexPct ?? 1)
    const roadApex = at(apexPct)
    const slowest =
      speed === undefined
        ? null
        : (slowestPoint(speed, start, at(endPct), isOut) ?? (isOut(roadApex) ? null : roadApex))
    const apex = slowest ?? roadApex

    const lifted = applications === null ? null : liftedFrom(applications, speed, from, apex)
    const isOn = lifted === null && isHeld(applications ?? [], { start, end: apex })
    const eased = isOn
      ? easePoint(throttle!, time, { start: Math.max(from, easingFrom(time, start)), end: apex })
      : null
    const lift = lifted === null ? eased : liftPoint(throttle!, time, lifted)
    const braking =
      presses === null
        ? null
        : brakingsOf(presses, { from, to: apex, brake: brake!, time }).filter(({ end }) => end >= (lift ?? 0))
    const [first, final] = [braking?.[0], braking?.at(-1)]
    const on = applications === null ? null : exitApplication(applications, { lifted, start, to })
    return {
      entrySpeedMps: speed === undefined ? null : finite(valueAt(speed, startPct)),
      liftM: metres(lift),
      isFlat: isOn && lift === null && first === undefined,
      brakeM: first === undefined || first.start === 0 ? null : metres(pressedAt(brake!, first)),
      releaseM: final === undefined || final.end === last ? null : metres(releasedAt(brake!, final)),
      apexM: metres(slowest),
      minSpeedMps: slowest === null ? null : finite(speed![slowest]!),
      throttleM: on === null ? null : metres(pressPoint(throttle!, time, on)),
      exitSpeedMps: speed === undefined || isOut(at(endPct)) ? null : finite(valueAt(speed, endPct)),
    }
  })
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** Returns where a driver can begin with a corner: at the apex before it, or where a part without ends. */
function beginOf(apexBefore: number, startPct: number, without: readonly Part[]): number {
  return without.reduce(
    (begin, part) => (part.startPct < startPct ? Math.max(begin, Math.min(part.endPct, startPct)) : begin),
    apexBefore,
  )
}

/** Seconds before a corner in which a driver may ease off for it. */
const EASING_S = 1

function easingFrom(time: Float64Array, start: number): number {
  let from = start
  while (from > 0 && time[start]! - time[from - 1]! <= EASING_S) from--
  return from
}

/** A car that slows by less does not slow for the corner, m/s. An upshift costs less, too. */
const SLOWED_MPS = 0.25

/**
 * Returns the slowest point between two, if the car slowed before it and was faster after it; otherwise null.
 * A car that is slowest at an end of the corner comes from another corner or already slows for the next.
 */
function slowestPoint(
  speed: Float32Array,
  from: number,
  to: number,
  isOut: (i: number) => boolean,
): number | null {
  const isKnown = (i: number): boolean => Number.isFinite(speed[i]!) && !isOut(i)
  // Highest speed from each point to the end.
  const after = new Float32Array(to - from + 1)
  for (let i = to, most = Number.NEGATIVE_INFINITY; i >= from; i--) {
    if (isKnown(i)) most = Math.max(most, speed[i]!)
    after[i - from] = most
  }
  let slowest: number | null = null
  let before = Number.NEGATIVE_INFINITY
  for (let i = from; i <= to; i++) {
    if (!isKnown(i)) continue
    before = Math.max(before, speed[i]!)
    const isSlow = Math.min(before, after[i - from]!) - speed[i]! >= SLOWED_MPS
    if (isSlow && (slowest === null || speed[i]! < speed[slowest]!)) slowest = i
  }
  return slowest
}

/**
 * Returns the application of the throttle that ended with the lift for a corner; null without a lift. Drivers
 * also lift briefly on the way to a corner, or again within it: the lift for the corner is the fastest one.
 */
function liftedFrom(
  applications: readonly Run[],
  speed: Float32Array | undefined,
  from: number,
  apex: number,
): Run | null {
  let lifted: Run | null = null
  for (const run of applications) {
    if (run.end <= from || run.end >= apex) continue
    if (lifted === null || speed === undefined || !(speed[run.end]! <= speed[lifted.end]!)) lifted = run
  }
  return lifted
}

/** Returns the brakings that begin in a corner. One that is on at its begin belongs to the corner before. */
function brakingsOf(
  presses: readonly Run[],
  {
    from,
    to,
    brake,
    time,
  }: {
    readonly from: number
    readonly to: number
    readonly brake: Float32Array
    readonly time: Float64Array
  },
): readonly Run[] {
  const own = presses.filter(({ start }) => (start > from || start === 0) && start >= from && start <= to)
  return brakings(own, brake, time)
}

/**
 * Returns the first application after the lift. A driver who comes to the corner without throttle has none,
 * and one who drives through with it does not need another.
 */
function exitApplication(
  applications: readonly Run[],
  { lifted, start, to }: { readonly lifted: Run | null; readonly start: number; readonly to: number },
): Run | null {
  const after = lifted?.end ?? start
  if (lifted === null && applications.some(run => run.start <= start && run.end >= start)) return null
  return applications.find(run => run.start > after && run.start <= to) ?? null
}
