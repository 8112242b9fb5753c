import type { Columns, ColumnValues } from '../columns.ts'
import { median } from '../corners/track-shape.ts'
import type { Lap } from '../laps/lap.ts'

const TYRES = ['LF', 'RF', 'LR', 'RR'] as const
/** The parts of a tread, which wear unevenly. */
const TREADS = ['L', 'M', 'R'] as const

const treadChannels = (tyre: (typeof TYRES)[number]) => TREADS.map(part => `${tyre}wear${part}`)

/** The channels of `lapLogs`. A preview needs few of them, so they are read when a driver looks at the stints. */
export const LOG_CHANNELS: readonly string[] = [
  'FuelLevel',
  'AirTemp',
  'TrackTempCrew',
  'TrackTemp',
  'TrackWetness',
  'WindVel',
  'Speed',
  'CarDistAhead',
  ...TYRES.flatMap(treadChannels),
]

/** Fuel, tyres, conditions and traffic of one lap. A value is null, or its list empty, if the file lacks its channel. */
export interface LapLog {
  /** Litres at the start of the lap; the most within it if the tank was filled. */
  readonly fuelStartL: number | null
  readonly fuelEndL: number | null
  /** Median °C. */
  readonly airTempC: number | null
  readonly trackTempC: number | null
  /** irsdk_TrackWetness at the end of the lap: 1 dry to 7 extremely wet. */
  readonly wetness: number | null
  /** Median m/s. */
  readonly windMps: number | null
  /**
   * Share of the tread that is left at the end of the lap: left front, right front, left rear, right rear. Of each tyre
   * it is the most worn part. The simulator measures it in the pits only, and keeps the value until the next stop.
   */
  readonly tread: readonly number[]
  /** The least of each within the lap: a stop can measure a tyre and change it. */
  readonly leastTread: readonly number[]
  /** Share of the moving rows with a car less than a second ahead. */
  readonly trafficShare: number | null
}

type LapRows = Pick<Lap, 'row_start' | 'row_end'>

/** Returns the log of each lap. Columns need `LOG_CHANNELS`, as far as the file has them. */
export function lapLogs(columns: Columns, laps: readonly LapRows[]): readonly LapLog[] {
  const valuesOf = (name: string): ColumnValues | null => {
    const column = columns.byName.get(name)
    return column?.count === 1 ? column.values : null
  }
  const fuel = valuesOf('FuelLevel')
  const air = valuesOf('AirTemp')
  // Its replacement in newer builds has the same value.
  const track = valuesOf('TrackTempCrew') ?? valuesOf('TrackTemp')
  const wetness = valuesOf('TrackWetness')
  const wind = valuesOf('WindVel')
  const speed = valuesOf('Speed')
  const ahead = valuesOf('CarDistAhead')
  const treads = TYRES.map(tyre =>
    treadChannels(tyre)
      .map(valuesOf)
      .filter(values => values !== null),
  )
  const isWhole = treads.every(parts => parts.length === TREADS.length)

  return laps.map(({ row_start, row_end }) => {
    const rows = { row_start, row_end: Math.min(row_end, columns.rows - 1) }
    return {
      ...tank(fuel, rows),
      airTempC: medianOf(air, rows),
      trackTempC: medianOf(track, rows),
      wetness: lastOf(wetness, rows),
      windMps: medianOf(wind, rows),
      tread: isWhole ? treads.map(parts => Math.min(...parts.map(part => lastOf(part, rows) ?? 1))) : [],
      leastTread: isWhole ? treads.map(parts => Math.min(...parts.map(part => least(part, rows)))) : [],
      trafficShare: trafficShare(ahead, speed, rows),
    }
  })
}

/** A level that rises by more, in litres, was filled: the gauge itself wavers by less. */
const FILLED_L = 0.05

function tank(level: ColumnValues | null, rows: LapRows): Pick<LapLog, 'fuelStartL' | 'fuelEndL'> {
  let fuelStartL: number | null = null
  for (let row = rows.row_start; level !== null && row <= rows.row_end; row++) {
    if (level[row]! > (fuelStartL === null ? 0 : fuelStartL + FILLED_L)) fuelStartL = level[row]!
  }
  return { fuelStartL, fuelEndL: lastOf(level, rows) }
}

/** Values of weather change slowly, so that some of them are enough. */
const SAMPLES = 64

/** The median, because single rows are blank. */
function medianOf(values: ColumnValues | null, { row_start, row_end }: LapRows): number | null {
  if (values === null || row_end < row_start) return null
  const step = Math.max(1, Math.floor((row_end - row_start) / SAMPLES))
  const found: number[] = []
  for (let row = row_start; row <= row_end; row += step) {
    if (Number.isFinite(values[row]!)) found.push(values[row]!)
  }
  return found.length === 0 ? null : median(found)
}

/** Returns the last value of the lap; null without one. A blank row has only zeros, which no lap ends with. */
function lastOf(values: ColumnValues | null, { row_start, row_end }: LapRows): number | null {
  for (let row = row_end; values !== null && row >= row_start; row--)
    if (values[row]! > 0) return values[row]!
  return null
}

function least(values: ColumnValues, { row_start, row_end }: LapRows): number {
  let found = Number.POSITIVE_INFINITY
  // A blank row has no tread at all.
  for (let row = row_start; row <= row_end; row++) {
    if (values[row]! > 0 && values[row]! < found) found = values[row]!
  }
  return found
}

/** Seconds. The air behind a car that is closer changes how a car turns and brakes. */
const CLOSE_S = 1
/** Slower cars wait in a queue or in the pits. */
const MOVING_MPS = 10
/** Share of a lap from which it is one in traffic: shorter moments are a car that is passed. */
const TRAFFIC_SHARE = 0.1

function trafficShare(
  ahead: ColumnValues | null,
  speed: ColumnValues | null,
  { row_start, row_end }: LapRows,
): number | null {
  if (ahead === null || speed === null) return null
  let moving = 0
  let close = 0
  for (let row = row_start; row <= row_end; row++) {
    if (!(speed[row]! > MOVING_MPS)) continue
    moving++
    // Without a car ahead the simulator writes 500 km.
    if (ahead[row]! > 0 && ahead[row]! < CLOSE_S * speed[row]!) close++
  }
  return moving === 0 ? 0 : close / moving
}

/** Returns whether another car was close ahead for a tenth of the lap. */
export function isInTraffic({ trafficShare }: LapLog): boolean {
  return trafficShare !== null && trafficShare >= TRAFFIC_SHARE
}
