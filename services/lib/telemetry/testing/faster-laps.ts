import type { Column, Columns, ColumnValues } from '../columns.ts'
import type { Lap } from '../laps/lap.ts'

/** The channels that a forger scales beside time, each by the power of the factor that physics needs. */
export interface Scaled {
  readonly Speed?: boolean
  readonly YawRate?: boolean
  readonly LongAccel?: boolean
  readonly LatAccel?: boolean
  readonly RPM?: boolean
}

const POWER = { Speed: 1, YawRate: 1, PitchRate: 1, LongAccel: 2, LatAccel: 2, RPM: 1 } as const

/** From here on, a step is the jump at the finish line or at north, and nothing lies between its ends. */
const LEAP: Readonly<Record<string, number>> = { LapDistPct: 0.5, LapDist: 3, Yaw: 3 }

/**
 * Returns a session as a forger writes it: driven `factor` times faster along the same way, with a sound
 * clock. The channels of `scaled` match the speed. It has no scored lap time.
 */
export function fasterLaps(columns: Columns, factor: number, scaled: Scaled): Columns {
  return scaledSensors(fasterWay(columns, factor), factor, scaled)
}

/** Returns the session with the channels of `scaled` multiplied as `factor` needs. */
export function scaledSensors({ rows, byName }: Columns, factor: number, scaled: Scaled): Columns {
  const columns = new Map(byName)
  for (const [name, power] of Object.entries(POWER)) {
    const isScaled = name === 'PitchRate' ? scaled.YawRate : scaled[name as keyof Scaled]
    const column = byName.get(name)
    if (isScaled !== true || column === undefined) continue
    const values = column.values.slice()
    const by = factor ** power
    for (let row = 0; row < rows; row++) values[row] = by * values[row]!
    columns.set(name, { ...column, values })
  }
  return { rows, byName: columns }
}

/** Returns the session as `fasterLaps` does before it scales the sensors. */
export function fasterWay({ rows, byName }: Columns, factor: number): Columns {
  const count = Math.floor((rows - 1) / factor)
  const columns = new Map<string, Column>()
  for (const column of byName.values()) {
    if (column.count !== 1 || column.name === 'LapLastLapTime' || column.name === 'LapCurrentLapTime')
      continue
    const { name, type, values } = column
    const isNumber = type === 'float' || type === 'double'
    const leap = isNumber ? (LEAP[name] ?? Infinity) : 0
    const Values = values.constructor as new (from: ArrayLike<number>) => ColumnValues
    const target = new Values(resample(new Float64Array(values), count, factor, leap))
    if (name === 'SessionTime') {
      const stepS = (values[rows - 1]! - values[0]!) / (rows - 1)
      const hz = Math.round(1 / stepS / 30) * 30
      for (let row = 0; row < count; row++) target[row] = values[0]! + row / hz
    }
    if (name === 'SessionTick') for (let row = 0; row < count; row++) target[row] = 60_000 + row
    columns.set(name, { ...column, values: target })
  }
  return { rows: count, byName: columns }
}

/** Returns the session with a score for each of its laps that has a time, half a second after its end. */
export function scoredLaps({ rows, byName }: Columns, laps: readonly Lap[]): Columns {
  const values = new Float64Array(rows).fill(-1)
  for (const { time_s, row_end } of laps) if (time_s !== null) values.fill(time_s, row_end + 30)
  const name = 'LapLastLapTime'
  const column: Column = { name, type: 'double', count: 1, unit: 's', values }
  return { rows, byName: new Map(byName).set(name, column) }
}

/** Takes doubles only: over arrays of several types, this loop took 19 of 47 seconds of the physics tests. */
function resample(values: Float64Array, count: number, factor: number, leap: number): Float64Array {
  const target = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const at = Math.floor(row * factor)
    const a = values[at]!
    const step = values[at + 1]! - a
    target[row] = Math.abs(step) > leap ? a : a + step * (row * factor - at)
  }
  return target
}
