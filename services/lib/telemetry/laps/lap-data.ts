import type { Columns, ColumnValues } from '../columns.ts'
import { findPositions, type Positions } from '../positions.ts'
import type { SessionFacts } from '../session/session-facts.ts'
import { LAP_CHANNELS, type LapChannel, SENSOR_CHANNELS } from './lap-channels.ts'

/** A file's lap channels, looked up once. A channel that the file lacks is null. */
export interface LapData {
  readonly rows: number
  readonly timeS: ColumnValues
  /** Share of the lap; can lie slightly outside 0..1. */
  readonly pct: ColumnValues
  readonly channel: Readonly<Record<LapChannel, ColumnValues | null>>
  /** Seconds of one tick of the simulator's clock, and least seconds from one row to the next. */
  readonly tickS: number
  readonly rowS: number
  /** Rows a second, by the header. */
  readonly rateHz: number
  /** The positions of the file; null if it has none. */
  readonly positions: Positions | null
  /** True if some rows have no position, though the file has positions. */
  readonly lacksPositions: boolean
  /** Kind of each row: see `ROW`. */
  readonly kind: Uint8Array
  readonly trackLengthM: number | null
  readonly sessionNames: LapFacts['sessionNames']
  /** rpm; null if the session text does not state it. */
  readonly redLineRpm: number | null
  /** True if a channel of need `verdict`, or the length of the lap, is missing. */
  readonly isUnverifiable: boolean
}

/** The facts of the session text and the header that judging needs. */
export interface LapFacts
  extends Pick<SessionFacts, 'trackLengthM'>,
    Partial<Pick<SessionFacts, 'redLineRpm'>> {
  readonly sessionNames?: SessionFacts['sessionNames']
  /** Rows a second; 60 by default. */
  readonly tickRateHz?: number
}

export const ROW = {
  GOOD: 0,
  /** Non-finite LapDistPct or time. The row counts to its lap and makes it a `GAP`. */
  BAD: 1,
  /** The car was not in the world: nothing in the row has a meaning, so the row is skipped. */
  JUNK: 2,
} as const

/** Looks up the lap channels of a file; null if it has no `SessionTime` or no `LapDistPct`. */
export function lapData(columns: Columns, facts: LapFacts): LapData | null {
  const recorded = Object.fromEntries(
    LAP_CHANNELS.map(({ name }) => {
      const values = columnOf(columns, name)
      if (COUNTERS.has(name)) return [name, toIntegers(values)]
      return [name, SENSORS.has(name) && values?.every(Number.isNaN) ? null : values]
    }),
  ) as LapData['channel']
  const timeS = recorded.SessionTime
  const pct = recorded.LapDistPct
  if (timeS === null || pct === null) return null
  const { Lat, Lon, Speed: speed } = recorded
  const positions = findPositions({ lat: Lat, lon: Lon, speed, timeS })
  const channel = { ...recorded, Lat: positions?.lat ?? null, Lon: withoutJumps(positions?.lon ?? null) }
  const kind = rowKinds(columns.rows, timeS, pct, channel)
  const trackLengthM = trackLength(facts, pct, channel.LapDist, kind)
  return {
    rows: columns.rows,
    timeS,
    pct,
    channel,
    ...ticksOf(facts.tickRateHz ?? 60),
    positions,
    lacksPositions: positions !== null && positions.lat !== Lat,
    kind,
    trackLengthM,
    sessionNames: facts.sessionNames,
    redLineRpm: facts.redLineRpm ?? null,
    isUnverifiable:
      trackLengthM === null ||
      LAP_CHANNELS.some(({ name, need }) => need === 'verdict' && channel[name] === null),
  }
}

/**
 * Returns the steps of the clock: 60 a second, or as many as there are rows. A rate slightly over 60 is that
 * of a recording with a scaled clock, whatever its header states.
 */
function ticksOf(rateHz: number): Pick<LapData, 'tickS' | 'rowS' | 'rateHz'> {
  if (rateHz >= MIN_FASTER_HZ) return { tickS: 1 / rateHz, rowS: 1 / rateHz, rateHz }
  // Fewer rows than ticks: each step is several whole ticks, if the rate divides 60.
  const isWhole = rateHz > 60 || 60 % rateHz === 0
  return { tickS: 1 / (isWhole ? 60 : rateHz), rowS: 1 / 60, rateHz: Math.min(60, rateHz) }
}

const MIN_FASTER_HZ = 72

/** Returns the values of a channel with one value a row; null if there is none. */
export function columnOf({ byName, rows }: Columns, name: string): ColumnValues | null {
  const column = byName.get(name)
  return column !== undefined && column.count === 1 && column.values.length >= rows ? column.values : null
}

/** Channels that number and separate laps, and that answers carry as integers. */
const COUNTERS: ReadonlySet<LapChannel> = new Set(['SessionNum', 'Lap'])

/** A sensor that is NaN in every row was not recorded. */
const SENSORS: ReadonlySet<LapChannel> = new Set(SENSOR_CHANNELS.map(({ name }) => name))

/**
 * Returns 32-bit integers, whatever type the file declares. NaN differs from itself, so it would make each
 * row a session of its own.
 */
function toIntegers(values: ColumnValues | null): ColumnValues | null {
  return values === null || values instanceof Int32Array ? values : new Int32Array(values)
}

function rowKinds(
  rows: number,
  timeS: ColumnValues,
  pct: ColumnValues,
  { PlayerTrackSurface, Lap: lap, Lat, Lon, Speed: speed }: LapData['channel'],
): Uint8Array {
  const kind = new Uint8Array(rows)
  // A missing channel is replaced by one that changes nothing, so that one loop serves all files.
  const surface = PlayerTrackSurface ?? kind
  const hasPositions = Lat !== null && Lon !== null
  for (let i = 0; i < rows; i++) {
    const share = pct[i]!
    if (surface[i] === NOT_IN_WORLD) kind[i] = ROW.JUNK
    else if (
      share === 0 &&
      lap?.[i] === 0 &&
      (hasPositions ? Number.isNaN(Lat[i]!) : (speed?.[i] ?? 0) === 0)
    ) {
      // The simulator's blank row, in files without the surface: lap 0 at distance 0 without a position.
      kind[i] = ROW.JUNK
    }
    // A finite number times 0 is 0; any other is NaN.
    else if (timeS[i]! * 0 + share * 0 !== 0) kind[i] = ROW.BAD
  }
  return kind
}

/** irsdk_TrkLoc. */
const NOT_IN_WORLD = -1

/**
 * Returns the session text's length in metres. If it has none, divides LapDist by LapDistPct in the lap's
 * second half. Null without both.
 */
export function trackLength(
  { trackLengthM }: LapFacts,
  pct: ColumnValues,
  lapDist: ColumnValues | null,
  kind: Uint8Array | null,
): number | null {
  if (trackLengthM !== null && trackLengthM > 0) return trackLengthM
  if (lapDist === null) return null
  for (let i = 0; i < lapDist.length; i++) {
    if ((kind !== null && kind[i] !== ROW.GOOD) || pct[i]! < 0.5 || pct[i]! > 1) continue
    const lengthM = lapDist[i]! / pct[i]!
    return Number.isFinite(lengthM) && lengthM > 0 ? lengthM : null
  }
  return null
}

/** Returns longitudes that do not jump at 180°, where a track can lie, too; the same column if none does. */
function withoutJumps(lon: ColumnValues | null): ColumnValues | null {
  let west = Number.POSITIVE_INFINITY
  let east = Number.NEGATIVE_INFINITY
  for (let row = 0; lon !== null && row < lon.length; row++) {
    const value = lon[row]!
    if (value < west) west = value
    if (value > east) east = value
  }
  return lon !== null && east - west > 180
    ? new Float64Array(lon).map(value => (value < 0 ? value + 360 : value))
    : lon
}
