import type { Column, Variable } from '@lapwing/telemetry'
import { type ChannelTerm, namesOf, parseTerm } from './channel-term.ts'
import { type DrawnUnit, drawnUnit, type UnitChoices } from './drawn-unit.ts'

/** A channel of a lap in its drawn unit, one value a row. */
export interface ChannelValues {
  readonly values: Float64Array
  readonly unit: string
  /** Whether the values have steps, without values between. */
  readonly isStepped: boolean
}

type Variables = ReadonlyMap<string, Variable>

/** Why a term cannot be drawn, in a sentence; null if it can. */
export function whyNot(text: string, variables: Variables, choices: UnitChoices): string | null {
  const term = parseTerm(text)
  if (!term) return `“${text}” is not a channel.`
  const missing = namesOf(term).find(name => !variables.has(name))
  if (missing !== undefined) return `This file has no ${missing}.`
  for (const { name, index } of partsOf(term)) {
    const { count } = variables.get(name)!
    if ((index ?? 0) >= count) return `${name} has only ${count} ${count === 1 ? 'value' : 'values'} a row.`
  }
  const [first, second] = partsOf(term).map(({ name }) => ({
    name,
    unit: drawnUnit(variables.get(name)!, choices).unit,
  }))
  if (second && second.unit !== first!.unit) {
    return `${first!.name} is in ${unitName(first!.unit)} and ${second.name} in ${unitName(second.unit)}. Only channels of one unit can be added.`
  }
  return null
}

/** Returns the unit in which a term is drawn; empty without one. Call it for terms that can be drawn. */
export function termUnit(text: string, variables: Variables, choices: UnitChoices): string {
  const term = parseTerm(text)
  const variable = term && variables.get(term.first.name)
  return variable ? drawnUnit(variable, choices).unit : ''
}

/** Returns the values of a term; null if a column is missing. Call it for terms that can be drawn. */
export function channelValues(
  text: string,
  columns: ReadonlyMap<string, Column>,
  choices: UnitChoices,
): ChannelValues | null {
  const term = parseTerm(text)
  if (!term) return null
  const parts = partsOf(term).map(({ name, index }) => ({ column: columns.get(name), index: index ?? 0 }))
  if (!parts.every(part => part.column !== undefined)) return null
  const sign = term.second?.sign ?? 1
  const lines = (parts as { column: Column; index: number }[]).map(({ column, index }) => {
    const drawn = drawnUnit(column, choices)
    // A difference of temperatures has no offset: 20 °C less 10 °C are 18 °F, not 50.
    return elementOf(column, index, sign < 0 ? { ...drawn, offset: 0 } : drawn)
  })
  const [values, others] = lines as [Float64Array, Float64Array | undefined]
  if (others) for (let row = 0; row < values.length; row++) values[row] = values[row]! + sign * others[row]!
  const first = parts[0]!.column!
  return {
    values,
    unit: drawnUnit(first, choices).unit,
    isStepped: parts.every(({ column }) => column!.type !== 'float' && column!.type !== 'double'),
  }
}

function partsOf({ first, second }: ChannelTerm) {
  return second === null ? [first] : [first, second.part]
}

function unitName(unit: string): string {
  return unit || 'no unit'
}

/** Returns one element of each row of a column, in the drawn unit. */
function elementOf({ values, count }: Column, index: number, { scale, offset }: DrawnUnit): Float64Array {
  const drawn = new Float64Array(values.length / count)
  for (let row = 0; row < drawn.length; row++) drawn[row] = values[row * count + index]! * scale + offset
  return drawn
}
