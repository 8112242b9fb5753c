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
  const absent = absentRows(lat, lon, speed, timeS)
  if (absent.count === lat.length) return null
  if (absent.count === 0) return { lat, lon }
  const blank = (values: ColumnValues): Float64Array =>
    Float64Array.from(values, (value, row) => (absent.rows[row] === 1 ? Number.NaN : value))
  return { lat: blank(lat), lon: blank(lon) }
}

function absentRows(
  lat: ColumnValues,
  lon: ColumnValues,
  speed: ColumnValues | null,
  timeS: ColumnValues,
): { readonly rows: Uint8Array; readonly count: number } {
  const rows = new Uint8Array(lat.length)
  let count = 0
  let runStart = 0
  let drivenM = 0
  for (let row = 0; row < lat.length; row++) {
    const north = lat[row]!
    const east = lon[row]!
    if ((north === 0 && east === 0) || !(Math.abs(north) <= 90 && Math.abs(east) <= 360)) {
      rows[row] = 1
      count++
    }
    if (north === lat[runStart] && east === lon[runStart]) {
      if (speed === null || row === runStart) continue
      const speedMps = speed[row]!
      const stepS = timeS[row]! - timeS[row - 1]!
      if (speedMps > MOVING_MPS && stepS > 0) drivenM += speedMps * Math.min(stepS, MAX_STEP_S)
      continue
    }
    if (drivenM > FROZEN_M) count += markAbsent(rows, runStart, row)
    runStart = row
    drivenM = 0
  }
  if (drivenM > FROZEN_M) count += markAbsent(rows, runStart, lat.length)
  return { rows, count }
}

/** Returns how many rows of the run were not absent before. */
function markAbsent(rows: Uint8Array, from: number, end: number): number {
  // A position that is late by one row repeats once, and the next row makes up for it.
  if (end - from < FEWEST_FROZEN_ROWS) return 0
  let marked = 0
  for (let row = from; row < end; row++) {
    if (rows[row] === 0) marked++
    rows[row] = 1
  }
  return marked
}

/** In recorded laps a position repeats for one row at most, which is 1.5 m at the highest speeds. */
const FROZEN_M = 10
const FEWEST_FROZEN_ROWS = 3
/** A car that stands has a speed of some centimetres a second, for hours. */
const MOVING_MPS = 2
/** A hole in the recording says nothing of the way in between. */
const MAX_STEP_S = 0.1
