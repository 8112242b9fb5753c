import type { Column, Columns, ColumnValues, VariableType } from '../columns.ts'

/** A session driven evenly on a round track, for tests that then change it. */
export interface SyntheticLaps {
  readonly columns: Columns
  readonly facts: { readonly trackLengthM: number | null }
  /** First row of each lap that has a line before it. */
  readonly lineRows: readonly number[]
}

export interface SyntheticLapsOptions {
  /** Seconds of each whole lap. A part of a lap comes before them and another after them. */
  readonly lapTimesS?: readonly number[]
  readonly lengthM?: number
  /** Share of the lap at which the file starts. */
  readonly from?: number
  /** Rows after the last line. */
  readonly rowsAfter?: number
  /** Rows from the line to the official time. */
  readonly scoreRows?: number
  /** The simulator's score of each whole lap; by default the laps' own times. */
  readonly scores?: readonly number[]
  /** LapLastLapTime before the first score. */
  readonly lastLapTime?: number
}

export const HZ = 60

/** Builds a session of clean laps, as the simulator writes them. */
export function syntheticLaps({
  lapTimesS = [60, 58, 59],
  lengthM = 2000,
  from = 0.8,
  rowsAfter = 400,
  scoreRows = 45,
  scores = lapTimesS,
  lastLapTime = -1,
}: SyntheticLapsOptions = {}): SyntheticLaps {
  const times = [lapTimesS[0]!, ...lapTimesS, lapTimesS.at(-1)!]
  // A third of a tick off, so that no row lies on the line.
  const crossings = [(1 - from) * times[0]! + 1 / 180]
  for (const timeS of lapTimesS) crossings.push(crossings.at(-1)! + timeS)
  const lineRows = crossings.map(timeS => Math.ceil(timeS * HZ))
  const rows = lineRows.at(-1)! + rowsAfter
  const columns = columnsOf(rows)
  // Looked up once: a look-up for each value took most of the time.
  const of = (name: string): ColumnValues => columns.byName.get(name)!.values
  const sessionTime = of('SessionTime')
  const sessionTick = of('SessionTick')
  const lapClock = of('LapCurrentLapTime')
  const lapNumber = of('Lap')
  const share = of('LapDistPct')
  const distance = of('LapDist')
  const score = of('LapLastLapTime')
  const speed = of('Speed')
  const lat = of('Lat')
  const lon = of('Lon')
  of('PlayerTrackSurface').fill(3)
  of('PlayerCarMyIncidentCount').fill(12)
  of('SessionFlags').fill(0x10040200)
  of('PaceMode').fill(4)
  let lap = 0
  let scoredLaps = 0
  for (let row = 0; row < rows; row++) {
    const timeS = row / HZ
    if (lap < lineRows.length && lineRows[lap]! <= row) lap++
    const openS = lap === 0 ? crossings[0]! - times[0]! : crossings[lap - 1]!
    const pct = (timeS - openS) / times[lap]!
    if (scoredLaps < lapTimesS.length && lineRows[scoredLaps + 1]! + scoreRows <= row) scoredLaps++
    sessionTime[row] = 1000 + timeS
    sessionTick[row] = 60_000 + row
    lapClock[row] = timeS - openS
    lapNumber[row] = lap + 1
    share[row] = pct
    distance[row] = pct * lengthM
    score[row] = scoredLaps === 0 ? lastLapTime : scores[scoredLaps - 1]!
    speed[row] = lengthM / times[lap]!
    const position = positionAt(pct, lengthM)
    lat[row] = position[0]
    lon[row] = position[1]
  }
  return { columns, facts: { trackLengthM: lengthM }, lineRows }
}

/** Returns latitude and longitude on the round track. */
export function positionAt(pct: number, lengthM: number): [lat: number, lon: number] {
  const radius = lengthM / (2 * Math.PI) / 111_195
  const angle = 2 * Math.PI * pct
  return [50 + radius * Math.cos(angle), 8 + (radius * Math.sin(angle)) / Math.cos((50 * Math.PI) / 180)]
}

const TYPES: Readonly<Record<string, VariableType>> = {
  SessionTime: 'double',
  SessionTick: 'int',
  SessionNum: 'int',
  SessionFlags: 'bitfield',
  OnPitRoad: 'bool',
  PlayerTrackSurface: 'int',
  PlayerCarMyIncidentCount: 'int',
  PlayerIncidents: 'bitfield',
  PlayerCarInPitStall: 'bool',
  PlayerCarTowTime: 'float',
  PaceMode: 'int',
  SessionOnJokerLap: 'bool',
  Lap: 'int',
  LapDist: 'float',
  LapDistPct: 'float',
  LapLastLapTime: 'float',
  LapCurrentLapTime: 'float',
  Lat: 'double',
  Lon: 'double',
  Speed: 'float',
}

const ARRAYS: Readonly<Record<VariableType, new (length: number) => ColumnValues>> = {
  char: Uint8Array,
  bool: Uint8Array,
  int: Int32Array,
  bitfield: Uint32Array,
  float: Float32Array,
  double: Float64Array,
}

function columnsOf(rows: number): Columns {
  const byName = new Map<string, Column>()
  for (const [name, type] of Object.entries(TYPES)) {
    byName.set(name, { name, type, count: 1, unit: '', values: new ARRAYS[type](rows) })
  }
  return { rows, byName }
}

/** Returns the values of one channel, for changes in place. */
export function channel({ columns }: SyntheticLaps, name: string): ColumnValues {
  return columns.byName.get(name)!.values
}

/** Returns the session with other rows: each entry is an index, or null for the simulator's blank row. */
export function pickRows(columns: Columns, rows: readonly (number | null)[]): Columns {
  const byName = new Map<string, Column>()
  for (const column of columns.byName.values()) {
    const values = new ARRAYS[column.type](rows.length)
    const blank = column.name === 'PlayerTrackSurface' ? -1 : 0
    for (let i = 0; i < rows.length; i++) values[i] = rows[i] === null ? blank : column.values[rows[i]!]!
    byName.set(column.name, { ...column, values })
  }
  return { rows: rows.length, byName }
}

/** Returns the session without some channels. */
export function without(columns: Columns, ...names: readonly string[]): Columns {
  return {
    rows: columns.rows,
    byName: new Map([...columns.byName].filter(([name]) => !names.includes(name))),
  }
}
