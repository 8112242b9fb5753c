import type { Columns, ColumnValues } from '../columns.ts'
import type { Lap, LapFigures } from '../laps/lap.ts'
import { lapTimeMs } from '../laps/lap-time-ms.ts'

/** The channels of the figures that no other part of a preview needs. */
export const FIGURE_CHANNELS = [
  'FuelLevel',
  'TrackTemp',
  'TrackTempCrew',
  'TrackWetness',
  'LFtempM',
  'RFtempM',
  'LRtempM',
  'RRtempM',
] as const

const TYRES = ['LFtempM', 'RFtempM', 'LRtempM', 'RRtempM'] as const

/** Litres. A level that rises by more within a row was filled: the gauge itself wavers by less. */
const FILLED_L = 0.05

/** Share of the lap. A longer step between two rows crosses nothing: it is a reset or the line. */
const LONGEST_STEP = 0.1

/** Returns the figures of a lap. `sectorStarts` are shares of the lap, ascending from 0 (`SplitTimeInfo`). */
export function lapFigures(columns: Columns, lap: Lap, sectorStarts: readonly number[]): LapFigures {
  const values = (name: string): ColumnValues | null => {
    const column = columns.byName.get(name)
    return column?.count === 1 ? column.values : null
  }
  const tyres = TYRES.map(name => mean(values(name), lap))
  return {
    sectors_s: sectorTimes(values('LapDistPct'), values('SessionTime'), lap, sectorStarts),
    top_speed_mps: highest(values('Speed'), lap),
    fuel_used_l: fuelUsed(values('FuelLevel'), lap),
    tyre_temps_c: tyres.every(temperature => temperature !== null) ? (tyres as number[]) : [],
    // Its replacement in newer builds has the same value.
    track_temp_c: mean(values('TrackTempCrew') ?? values('TrackTemp'), lap),
    track_wetness: wettest(values('TrackWetness'), lap),
    incident_points: risen(values('PlayerCarMyIncidentCount'), lap),
  }
}

function sectorTimes(
  pct: ColumnValues | null,
  time: ColumnValues | null,
  { is_completed, time_s, row_start, row_end }: Lap,
  starts: readonly number[],
): number[] {
  if (!pct || !time || !is_completed || time_s === null || starts.length < 2 || row_start === 0) return []
  const crossings = [timeAt(0, row_start, pct[row_start - 1]! - 1)]
  for (let row = row_start + 1; row <= row_end && crossings.length < starts.length; row++) {
    const start = starts[crossings.length]!
    const before = pct[row - 1]!
    const isCrossed = before < start && pct[row]! >= start && pct[row]! - before < LONGEST_STEP
    // The same step can cross a second, short sector.
    if (isCrossed) crossings.push(timeAt(start, row--, before))
  }
  if (crossings.length < starts.length) return []
  const sectors = crossings.slice(1).map((at, i) => toMs(at - crossings[i]!))
  // By the milliseconds that lists of laps show.
  const rest = toMs(lapTimeMs(time_s) / 1000 - sectors.reduce((sum, seconds) => sum + seconds, 0))
  return [...sectors, rest].every(seconds => seconds > 0) ? [...sectors, rest] : []

  /** Returns the time at a share of the lap that lies between the row before and this row. */
  function timeAt(share: number, row: number, before: number): number {
    const part = (share - before) / (pct![row]! - before)
    return time![row - 1]! + part * (time![row]! - time![row - 1]!)
  }
}

const toMs = (seconds: number) => Math.round(1000 * seconds) / 1000

function highest(values: ColumnValues | null, { row_start, row_end }: Lap): number | null {
  let most = Number.NEGATIVE_INFINITY
  if (values) for (let row = row_start; row <= row_end; row++) if (values[row]! > most) most = values[row]!
  return Number.isFinite(most) ? most : null
}

/** The simulator writes 0 if it does not know. */
function wettest(values: ColumnValues | null, lap: Lap): number | null {
  return highest(values, lap) || null
}

function mean(values: ColumnValues | null, { row_start, row_end }: Lap): number | null {
  if (values === null) return null
  let sum = 0
  for (let row = row_start; row <= row_end; row++) sum += values[row]!
  const result = sum / (row_end - row_start + 1)
  return Number.isFinite(result) ? result : null
}

function fuelUsed(level: ColumnValues | null, { row_start, row_end }: Lap): number | null {
  if (level === null) return null
  for (let row = row_start + 1; row <= row_end; row++) {
    if (level[row]! - level[row - 1]! > FILLED_L) return null
  }
  const used = level[row_start]! - level[row_end]!
  return level[row_start]! > 0 && used >= 0 ? used : null
}

function risen(count: ColumnValues | null, { row_start, row_end }: Lap): number | null {
  if (count === null) return null
  const by = count[row_end]! - count[Math.max(0, row_start - 1)]!
  return by >= 0 ? by : null
}
