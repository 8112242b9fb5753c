import type { Random } from '@lapwing/simulator/random'
import type { Column, Columns, ColumnValues } from '../columns.ts'
import type { LapTrack } from '../compare/lap-track.ts'

/**
 * Returns the session as a file with `factor` times as many samples would hold it. Numbers between two rows
 * are interpolated; states and counters have the value of the row before.
 */
export function resampled(columns: Columns, factor: number): Columns {
  const rows = Math.floor((columns.rows - 1) * factor)
  return readAt(
    columns,
    new Float64Array(rows).map((_, row) => row / factor),
  )
}

/**
 * Returns the session with a part of each lap played `factor` times faster, from one share of the distance to
 * another. The clock is sound, and all other channels keep their values.
 */
export function partlyFaster(
  columns: Columns,
  [from, to]: readonly [from: number, to: number],
  factor: number,
): Columns {
  const share = columns.byName.get('LapDistPct')!.values
  const at: number[] = []
  for (let next = 0; next < columns.rows - 1; ) {
    at.push(next)
    const pct = share[Math.floor(next)]!
    next += pct >= from && pct < to ? factor : 1
  }
  const copy = readAt(columns, Float64Array.from(at))
  const clock = copy.byName.get('SessionTime')!
  const { values } = columns.byName.get('SessionTime')!
  const stepS = (values[columns.rows - 1]! - values[0]!) / (columns.rows - 1)
  const byName = new Map(copy.byName)
  byName.set('SessionTime', { ...clock, values: Float64Array.from(at, (_, row) => values[0]! + row * stepS) })
  return { ...copy, byName }
}

/** Reads the session at places between its rows. */
function readAt(columns: Columns, places: Float64Array): Columns {
  return mapped(columns, places.length, ({ name, values, type }, target) => {
    for (let row = 0; row < places.length; row++) {
      const at = places[row]!
      const before = Math.floor(at)
      const a = values[before]!
      const b = values[before + 1]!
      const isNumber = type === 'float' || type === 'double'
      const wraps = name === 'LapDistPct' && Math.abs(b - a) > 0.5
      target[row] = isNumber && !wraps ? a + (b - a) * (at - before) : a
    }
  })
}

/** Returns the session with noise in throttle, brake and steering: up to `most` of their range or a radian. */
export function noisyInputs(columns: Columns, most: number, random: Random): Columns {
  return mapped(columns, columns.rows, ({ name, values }, target) => {
    target.set(values)
    if (!INPUTS.has(name)) return
    for (let row = 0; row < target.length; row++) {
      target[row] = values[row]! + (most * (random.below(2001) - 1000)) / 1000
    }
  })
}

const INPUTS: ReadonlySet<string> = new Set(['Throttle', 'Brake', 'SteeringWheelAngle'])

/** Returns the session with all times stretched by a factor, from its first row on. */
export function stretched(columns: Columns, factor: number): Columns {
  return mapped(columns, columns.rows, ({ name, values }, target) => {
    target.set(values)
    if (name !== 'SessionTime') return
    for (let row = 0; row < target.length; row++)
      target[row] = values[0]! + (values[row]! - values[0]!) * factor
  })
}

/** Returns the session with noise, a share of each value, in all numbers except time and position. */
export function noisy(columns: Columns, share: number, random: Random): Columns {
  return mapped(columns, columns.rows, ({ name, values, type }, target) => {
    target.set(values)
    if (type !== 'float' || name === 'LapLastLapTime') return
    for (let row = 0; row < target.length; row++) {
      target[row] = values[row]! * (1 + (share * (random.below(2001) - 1000)) / 1000)
    }
  })
}

/** Returns the session without one row in `oneIn`, drawn at random. */
export function thinned(columns: Columns, oneIn: number, random: Random): Columns {
  const kept = Array.from({ length: columns.rows }, (_, row) => row).filter(() => random.below(oneIn) !== 0)
  return mapped(columns, kept.length, ({ values }, target) => {
    for (let row = 0; row < kept.length; row++) target[row] = values[kept[row]!]!
  })
}

/** Returns the session with float32 numbers rounded to some digits, as in a text export. */
export function rounded(columns: Columns, digits: number): Columns {
  return mapped(columns, columns.rows, ({ values, type }, target) => {
    target.set(values)
    if (type !== 'float') return
    for (let row = 0; row < target.length; row++) target[row] = Number(values[row]!.toPrecision(digits))
  })
}

function mapped(
  { byName }: Columns,
  rows: number,
  fill: (column: Column, target: ColumnValues) => void,
): Columns {
  const columns = new Map<string, Column>()
  for (const column of byName.values()) {
    if (column.count !== 1) continue
    const values = new (column.values.constructor as new (length: number) => ColumnValues)(rows)
    fill(column, values)
    columns.set(column.name, { ...column, values })
  }
  return { rows, byName: columns }
}

/** Returns a lap that has the inputs of one lap up to a share of the distance, and then those of another. */
export function spliced(one: LapTrack, other: LapTrack, upTo: number): LapTrack {
  const points = Math.round(upTo * one.pct.length)
  const join = (name: 'throttle' | 'brake' | 'steering') => {
    const values = other[name]!.slice()
    values.set(one[name]!.subarray(0, points))
    return values
  }
  const time = other.time.map((timeS, i) =>
    i < points ? one.time[i]! : timeS + one.time[points - 1]! - other.time[points - 1]!,
  )
  return { ...other, time, throttle: join('throttle'), brake: join('brake'), steering: join('steering') }
}
