import type { Part } from '../compare/corner-figures.ts'
import { valueAt } from '../compare/delta-trace.ts'
import type { LapTrack } from '../compare/lap-track.ts'
import type { Corner } from '../corners/corner.ts'
import { M_PER_DEGREE } from '../laps/find-segments.ts'

/** Two laps over one distance. */
export interface LapPair {
  readonly lap: LapTrack
  readonly other: LapTrack
  readonly lengthM: number
}

/** m/s. A car at a crawl, or at rest, is often in neutral. */
const MOVING_MPS = 5

/** Returns the longest time in neutral within a part, in seconds; 0 without gears. */
export function longestNeutralS({ gear, time, speed }: LapTrack, { startPct, endPct }: Part): number {
  if (gear === undefined) return 0
  const last = gear.length - 1
  const end = Math.floor(endPct * last)
  let longestS = 0
  let since = -1
  for (let i = Math.ceil(startPct * last); i <= end; i++) {
    const isNeutral = gear[i] === 0 && !(speed !== undefined && speed[i]! < MOVING_MPS)
    if (!isNeutral) since = -1
    else if (since === -1) since = i
    else longestS = Math.max(longestS, time[i]! - time[since]!)
  }
  return longestS
}

/** Metres after a corner in which a car that ran wide is still wide. */
const AFTER_M = 40
/** Metres over which the line is averaged. */
const WINDOW_M = 12

/** How a lap left a corner. */
interface Outside {
  /** Metres farther outside than the other lap: the largest mean over a few metres. 0 without positions. */
  readonly metres: number
  /** By how much it was slower there, at most, m/s. */
  readonly slowerMps: number
}

/** Compares the lines of two laps from the apex to a little after the corner, at most to where the next begins. */
export function outside({ lap, other, lengthM }: LapPair, corner: Corner, nextM: number): Outside {
  const { lat, lon } = lap
  if (lat === undefined || lon === undefined || !other.lat || !other.lon) return { metres: 0, slowerMps: 0 }
  const perLon = M_PER_DEGREE * Math.cos((lat[0]! * Math.PI) / 180)
  const away = corner.direction === 'left' ? 1 : -1
  const fromM = corner.apexPct * lengthM
  const toM = Math.min(nextM, corner.endPct * lengthM + AFTER_M)
  let metres = 0
  let slowerMps = 0
  for (let middle = fromM + WINDOW_M / 2; middle <= toM - WINDOW_M / 2; middle += 2) {
    let sum = 0
    let count = 0
    for (let metre = middle - WINDOW_M / 2; metre <= middle + WINDOW_M / 2; metre += 2) {
      sum += away * rightOfM(lap as Placed, other as Placed, metre / lengthM, 1 / lengthM, perLon)
      count++
    }
    // NaN is no place, so it is not more.
    if (sum / count > metres) metres = sum / count
    // At the apex a car can be slower for another reason.
    if (middle < corner.endPct * lengthM || !lap.speed || !other.speed) continue
    const slower = valueAt(other.speed, middle / lengthM) - valueAt(lap.speed, middle / lengthM)
    if (slower > slowerMps) slowerMps = slower
  }
  return { metres, slowerMps }
}

type Placed = LapTrack & Required<Pick<LapTrack, 'lat' | 'lon'>>

/** Returns by how many metres a lap is to the right of the other's course at a share of the lap. */
function rightOfM(lap: Placed, other: Placed, pct: number, step: number, perLon: number): number {
  const east = (valueAt(other.lon, pct + step) - valueAt(other.lon, pct - step)) * perLon
  const north = (valueAt(other.lat, pct + step) - valueAt(other.lat, pct - step)) * M_PER_DEGREE
  const toEast = (valueAt(lap.lon, pct) - valueAt(other.lon, pct)) * perLon
  const toNorth = (valueAt(lap.lat, pct) - valueAt(other.lat, pct)) * M_PER_DEGREE
  return (toEast * north - toNorth * east) / Math.hypot(east, north)
}

/** What two laps did otherwise on the way out of a corner. */
interface UnlikeExit {
  /** Metres by which the lap pressed the throttle later, at the share of it that differs most; NaN if unknown. */
  readonly pressedLaterM: number
  /** Metres by which it reached full throttle later; NaN if one of them did not. */
  readonly fullLaterM: number
  /** Seconds for which the lap was off the throttle where the other was on it, after it was full. */
  readonly easedS: number
  /** The other's gear in which it left the corner, if the lap was in a higher one; null otherwise. */
  readonly gear: { readonly gear: number; readonly ownGear: number } | null
}

/** Share of the throttle from which it counts as full, and below which the driver is off it. */
const FULL = 0.95
const OFF = 0.7
/** Shares of the throttle at which two squeezes are compared. */
const SHARES = [0.2, 0.35, 0.5, 0.65] as const
/** Seconds. An upshift closes the throttle for less. */
const SHIFT_S = 0.25
/** Seconds for which a lap is in the higher gear. */
const IN_GEAR_S = 0.6

export function unlikeOnExit(
  { lap, other, lengthM }: LapPair,
  [fromM, toM]: readonly [number, number],
  throttleM: { readonly own: number; readonly its: number },
): UnlikeExit {
  const last = lap.pct.length - 1
  const at = (metre: number): number => Math.min(last, Math.max(0, Math.round((metre / lengthM) * last)))
  const [from, to] = [at(fromM), at(toM)]
  const throttleOf = ({ throttle }: LapTrack, i: number): number =>
    throttle === undefined ? Number.NaN : valueAt(throttle, i / last)
  const gearOf = ({ gear }: LapTrack, i: number): number =>
    gear === undefined ? 0 : gear[Math.round((i / last) * (gear.length - 1))]!

  const fullFrom = (track: LapTrack, pressedM: number): number => {
    for (let i = at(pressedM); i <= to; i++) if (throttleOf(track, i) >= FULL) return i
    return Number.NaN
  }
  const full = { own: fullFrom(lap, throttleM.own), its: fullFrom(other, throttleM.its) }
  /** Returns the point from which the throttle was above a share until it was full. */
  const aboveFrom = (track: LapTrack, share: number, pressedM: number, fullAt: number): number => {
    let i = fullAt
    while (i > at(pressedM) && throttleOf(track, i - 1) >= share) i--
    return i
  }
  const perPoint = lengthM / last
  const pressedLaterM = SHARES.reduce((most, share) => {
    const own = aboveFrom(lap, share, throttleM.own, full.own)
    const its = aboveFrom(other, share, throttleM.its, full.its)
    return Math.max(most, (own - its) * perPoint)
  }, Number.NEGATIVE_INFINITY)
  let easedS = 0
  let since = -1
  const fromBoth = Math.max(at(throttleM.own), at(throttleM.its), from)
  let isPressed = false
  for (let i = fromBoth; i <= to; i++) {
    isPressed ||= throttleOf(lap, i) >= FULL
    // Not before the throttle was full: a squeeze is no lift.
    const isOff = isPressed && throttleOf(lap, i) < OFF && throttleOf(other, i) >= FULL
    if (isOff && since === -1) since = i
    if (since !== -1 && (!isOff || i === to)) {
      const seconds = lap.time[i]! - lap.time[since]!
      if (seconds >= SHIFT_S) easedS += seconds
      since = -1
    }
  }
  let higherS = 0
  let gears: UnlikeExit['gear'] = null
  for (let i = from; i < to && higherS < IN_GEAR_S; i++) {
    const [ownGear, gear] = [gearOf(lap, i), gearOf(other, i)]
    if (ownGear <= gear && ownGear > 0 && gear > 0) break
    if (ownGear <= 0 || gear <= 0) continue
    gears ??= { gear, ownGear }
    higherS += lap.time[i + 1]! - lap.time[i]!
  }
  return {
    pressedLaterM,
    fullLaterM: (full.own - full.its) * perPoint,
    easedS,
    gear: higherS >= IN_GEAR_S ? gears : null,
  }
}
