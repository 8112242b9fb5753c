import type { ColumnValues } from './columns.ts'

/** The channels that say where the car was, and those that say whether it can have been there. */
export interface PositionChannels {
  readonly lat: ColumnValues | null
  readonly lon: ColumnValues | null
  /** m/s. */
  readonly speed: ColumnValues | null
  /** Seconds. */
  readonly timeS: ColumnValues
}

/** Degrees, WGS 84, one value a row; NaN in both where the position is absent. */
export interface Positions {
  readonly lat: ColumnValues
  readonly lon: ColumnValues
}

/**
 * Finds the rows that have a position. Outline, comparison, ground check and board use this rule alone.
 * Absent are: 0° north 0° east, which is what a row that was never filled says; values that are not on
 * earth, not-a-number included; and a position that stays the same while `Speed` takes the car farther
 * than `FROZEN_M`. Returns null if no row has a position. Never changes the channels, and returns them
 * as they are if no row lacks one.
 */
export function findPositions({ lat, lon, speed, timeS }: PositionChannels): Positions | null {
  if (lat === null || lon === null) return null
  const absent = findAbsent(lat, lon, speed, timeS)
  if (absent === null) return { lat, lon }
  if (absent.every(isAbsent => isAbsent === 1)) return null
  const blank = (values: ColumnValues): Float64Array =>
    Float64Array.from(values, (value, row) => (absent[row] === 1 ? Number.NaN : value))
  return { lat: blank(lat), lon: blank(lon) }
}

/** One byte a row, 1 if its position is absent; null if none is. */
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

/** A position that is late by one row repeats once, and the next row makes up for it: no run. */
function withRun(absent: Uint8Array | null, rows: number, from: number, end: number): Uint8Array | null {
  return end - from < FEWEST_FROZEN_ROWS ? absent : (absent ?? new Uint8Array(rows)).fill(1, from, end)
}

/** In recorded laps a position repeats for one row at most, which is 1.5 m at the highest speeds. */
const FROZEN_M = 10
const FEWEST_FROZEN_ROWS = 3
/** A car that stands has a speed of some centimetres a second, for hours. */
const MOVING_MPS = 2
/** A hole in the recording says nothing of the way in between. */
const MAX_STEP_S = 0.1
