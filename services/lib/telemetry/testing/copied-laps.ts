import type { Column, Columns, ColumnValues } from '../columns.ts'
import type { Random } from './random.ts'

/**
 * Returns the session as another file would hold it that was sampled `factor` times as often: numbers
 * between two rows are interpolated, states and counters keep the value of the row before.
 */
export function resampled(columns: Columns, factor: number): Columns {
  const rows = Math.floor((columns.rows - 1) * factor)
  return mapped(columns, rows, ({ name, values, type }, target) => {
    for (let row = 0; row < rows; row++) {
      const at = row / factor
      const before = Math.floor(at)
      const a = values[before]!
      const b = values[before + 1]!
      const isNumber = type === 'float' || type === 'double'
      const wraps = name === 'LapDistPct' && Math.abs(b - a) > 0.5
      target[row] = isNumber && !wraps ? a + (b - a) * (at - before) : a
    }
  })
}

/** Returns the session with all times stretched by a factor, from its first row on. */
export function stretched(columns: Columns, factor: number): Columns {
  return mapped(columns, columns.rows, ({ name, values }, target) => {
    target.set(values)
    if (name !== 'SessionTime') return
    for (let row = 0; row < target.length; row++)
      target[row] = values[0]! + (values[row]! - values[0]!) * factor
  })
}

/** Returns the session with noise of a share of each value in every number but time and place on earth. */
export function noisy(columns: Columns, share: number, random: Random): Columns {
  return mapped(columns, columns.rows, ({ name, values, type }, target) => {
    target.set(values)
    if (type !== 'float' || name === 'LapLastLapTime') return
    for (let row = 0; row < target.length; row++) {
      target[row] = values[row]! * (1 + (share * (random.below(2001) - 1000)) / 1000)
    }
  })
}

/** Returns the session without one row in so many, drawn at random. */
export function thinned(columns: Columns, oneIn: number, random: Random): Columns {
  const kept = Array.from({ length: columns.rows }, (_, row) => row).filter(() => random.below(oneIn) !== 0)
  return mapped(columns, kept.length, ({ values }, target) => {
    for (let row = 0; row < kept.length; row++) target[row] = values[kept[row]!]!
  })
}

/** Returns the session with float32 numbers rounded to some digits, as a text export would keep them. */
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
