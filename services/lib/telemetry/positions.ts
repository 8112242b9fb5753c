import type { ColumnValues } from './columns.ts'

/** Channels that hold the car's position, and those that show whether the car can have been there. */
export interface PositionChannels {
  readonly lat: ColumnValues | null
  readonly lon: ColumnValues | null
  /** m/s. */
  readonly speed: ColumnValues | null
  /** Seconds. */
  readonly timeS: ColumnValues
}

/** Degrees, WGS 84, one value a row. Both are NaN in a row without a position. */
export interface Positions {
  readonly lat: ColumnValues
  readonly lon: ColumnValues
}

/**
 * Finds the rows that have a position. Outline, comparison, ground check and boards use only this rule. A row
 * has no position in three cases:
 * - 0° north 0° east, the value of a row that was never filled;
 * - a value that is not on Earth, NaN included;
 * - a position that stays the same while `Speed` takes the car farther than `FROZEN_M`.
 * Returns null if no row has a position. Returns the channels themselves if every row has one, and never
 * changes them.
 */
export function findPositions({ lat, lon, speed, timeS }: PositionChannels): Positions | null {
  if (lat === null || lon === null) return null
  const absent = findAbsent(lat, lon, speed, timeS)
  if (absent === null) return { lat, lon }
  if (absent.every(isAbsent => isAbsent === 1)) return null
  return { lat: withoutAbsent(lat, absent), lon: withoutAbsent(lon, absent) }
}

/** Returns a copy with NaN in the absent rows. A loop, because `Float64Array.from` takes ten times as long. */
function withoutAbsent(values: ColumnValues, absent: Uint8Array): Float64Array {
  const kept = new Float64Array(values)
  for (let row = 0; row < kept.length; row++) if (absent[row] === 1) kept[row] = Number.NaN
  return kept
}

/** Returns one byte a row, 1 if its position is absent; null if none is absent. */
function findAbsent(
  lat: ColumnValues,
  lon: ColumnValues,
  speed: ColumnValues | null,
  timeS: ColumnValues,
): Uint8Array | null {
  const rows = lat.length
  let absent: Uint8Array | null = null
  let runStart = 0
  let drivenM = 0
  let northBefore = Number.NaN
  let eastBefore = Number.NaN
  for (let row = 0; row < rows; row++) {
    const north = lat[row]!
    const east = lon[row]!
    const isOnEarth = north >= -90 && north <= 90 && east >= -360 && east <= 360
    if (!isOnEarth || (north === 0 && east === 0)) {
      absent ??= new Uint8Array(rows)
      absent[row] = 1
    }
    if (north === northBefore && east === eastBefore) {
      if (speed !== null) drivenM += drivenOver(speed[row]!, timeS[row]! - timeS[row - 1]!)
      continue
    }
    if (drivenM > FROZEN_M) absent = withRun(absent, rows, runStart, row)
    runStart = row
    drivenM = 0
    northBefore = north
    eastBefore = east
  }
  return drivenM > FROZEN_M ? withRun(absent, rows, runStart, rows) : absent
}

function drivenOver(speedMps: number, stepS: number): number {
  return speedMps > MOVING_MPS && stepS > 0 ? speedMps * Math.min(stepS, MAX_STEP_S) : 0
}

/**
 * Marks a run of equal positions as absent. A position that is late by one row repeats once and is no run.
 */
function withRun(absent: Uint8Array | null, rows: number, from: number, end: number): Uint8Array | null {
  return end - from < FEWEST_FROZEN_ROWS ? absent : (absent ?? new Uint8Array(rows)).fill(1, from, end)
}

/** In recorded laps a position repeats for one row at most, which is 1.5 m at the highest speeds. */
const FROZEN_M = 10
const FEWEST_FROZEN_ROWS = 3
/** A parked car has a speed of some centimetres a second, for hours. */
const MOVING_MPS = 2
/** A gap in the recording does not show how far the car went in it. */
const MAX_STEP_S = 0.1
