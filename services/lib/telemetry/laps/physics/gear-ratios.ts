import type { ColumnValues } from '../../columns.ts'
import type { LapData } from '../lap-data.ts'
import type { LapMotion } from './lap-motion.ts'

/**
 * Engine speed for each metre a second, by gear: rpm per m/s. Gears driven for less than two seconds are
 * absent.
 */
export type GearRatios = ReadonlyMap<number, GearRatio>

export interface GearRatio {
  /** The median: a clutch or a wheel that slips for a moment does not move it. */
  readonly median: number
  /**
   * Width of the middle 70 %, as a share of the median. Recorded laps: up to 0.19 in first gear, 0.12 above.
   */
  readonly spread: number
}

/** Returns the ratios of one lap; empty if the file lacks `RPM`, `Speed` or `Gear`. */
export function gearRatios({ channel }: LapData, motion: LapMotion, gear: ColumnValues | null): GearRatios {
  const { count, row, timeS, speedMps } = motion
  const rpm = channel.RPM
  const result = new Map<number, GearRatio>()
  if (rpm === null || speedMps === null || gear === null) return result
  const byGear = new Map<number, { ratios: Float64Array; rows: number }>()
  for (let i = 0; i < count; i++) {
    const number = gear[row[i]!]!
    if (!(number >= 1 && number <= MAX_GEAR && number % 1 === 0) || !(speedMps[i]! > MIN_MPS)) continue
    let of = byGear.get(number)
    if (of === undefined) {
      of = { ratios: new Float64Array(count), rows: 0 }
      byGear.set(number, of)
    }
    of.ratios[of.rows++] = rpm[row[i]!]! / speedMps[i]!
  }
  const minRows = (MIN_S * count) / (timeS[count - 1]! - timeS[0]!)
  for (const [number, { ratios, rows }] of [...byGear].sort(([a], [b]) => a - b)) {
    if (rows < minRows) continue
    const sorted = ratios.subarray(0, rows).sort()
    const median = sorted[rows >> 1]!
    if (!(median > 0)) continue
    const spread = (sorted[Math.floor(0.85 * rows)]! - sorted[Math.floor(0.15 * rows)]!) / median
    result.set(number, { median, spread })
  }
  return result
}

const MAX_GEAR = 16
const MIN_MPS = 8
const MIN_S = 2

/**
 * Returns true if a lap's ratios contradict those of all other laps of its file. Ratios differ between set-ups
 * (second gear of one car: 185 to 208). So one lap that agrees in every shared gear is enough. Returns false
 * if there is no other. `laps` may hold the lap itself.
 *
 * Error within one set-up: 0.9 % from second gear on. First gear slips and is left out.
 */
export function contradictsOtherLaps(ratios: GearRatios, laps: readonly GearRatios[]): boolean {
  let isComparable = false
  for (const other of laps) {
    const agrees = other === ratios ? null : agreesInGears(ratios, other)
    if (agrees === null) continue
    // Nearly always the first one: a file can have thousands of laps.
    if (agrees) return false
    isComparable = true
  }
  return isComparable
}

/** Returns whether two laps agree in every gear that both show, from second on; null if they share none. */
export function agreesInGears(ratios: GearRatios, other: GearRatios): boolean | null {
  const gears = sharedGears(ratios, other)
  return gears.length === 0 ? null : gears.every(gear => isNear(ratios, other, gear))
}

function isNear(ratios: GearRatios, other: GearRatios, gear: number): boolean {
  return Math.abs(ratios.get(gear)!.median / other.get(gear)!.median - 1) <= MAX_DIFFERENCE
}

function sharedGears(ratios: GearRatios, other: GearRatios): number[] {
  return [...ratios.keys()].filter(gear => gear > 1 && other.has(gear))
}

const MAX_DIFFERENCE = 0.018

/**
 * Returns true if each gear that two laps share has another ratio, from second gear on. Then the laps were
 * driven with other gears, or a channel of one is false. Returns false if they share no gear.
 *
 * Unlike `contradictsOtherLaps` it compares laps of different drivers, and some spin the wheels or drive in
 * the rain. That moves the low gears only.
 */
export function hasOtherGears(ratios: GearRatios, other: GearRatios): boolean {
  const gears = sharedGears(ratios, other)
  return gears.length > 0 && gears.every(gear => !isNear(ratios, other, gear))
}

/**
 * Returns true if a lap shows no gear that another one shows, though that one shows gears from second on. So its
 * gears cannot be compared: they were numbered falsely, or the car was driven in other gears.
 */
export function sharesNoGear(ratios: GearRatios, other: GearRatios): boolean {
  return Math.max(...other.keys()) > 1 && sharedGears(ratios, other).length === 0
}

/**
 * Returns true if the gears of one lap contradict each other: a higher gear with a higher ratio, or a gear
 * with more than one ratio.
 *
 * Spread in recorded laps: from second gear on, the middle 70 % lie within 12 %. Wheelspin moves the rest.
 */
export function contradictsItself(ratios: GearRatios): boolean {
  let before = Number.POSITIVE_INFINITY
  for (const [gear, { median, spread }] of ratios) {
    if (median >= before || (gear > 1 && spread > MAX_SPREAD)) return true
    before = median
  }
  return false
}

const MAX_SPREAD = 0.25
