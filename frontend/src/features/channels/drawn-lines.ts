import type { Variable } from '@lapwing/telemetry'
import { labelOf } from './channel-term.ts'
import { channelValues, termUnit, whyNot } from './channel-values.ts'
import type { Chart } from './chart-pages.ts'
import { channelLimits } from './chart-pages.ts'
import { decimalsFor, type UnitChoices } from './drawn-unit.ts'
import type { DrawnLine } from './lines-chart.ts'
import type { LapColumns } from './use-channels.ts'

/** What a chart can draw of its channels. */
export interface DrawableChart {
  readonly terms: readonly string[]
  /** Why the others are not drawn, in sentences. */
  readonly reasons: readonly string[]
}

/** Returns the channels of a chart that the file has and that fit its axes. */
export function drawable(
  { kind, channels }: Chart,
  variables: ReadonlyMap<string, Variable>,
  choices: UnitChoices,
): DrawableChart {
  const terms: string[] = []
  const reasons: string[] = []
  const units = new Set<string>()
  for (const term of channels) {
    const reason = whyNot(term, variables, choices)
    const unit = reason === null ? termUnit(term, variables, choices) : ''
    if (reason !== null) reasons.push(reason)
    else if (kind === 'lines' && units.size === 2 && !units.has(unit)) reasons.push(thirdUnit(term))
    else {
      units.add(unit)
      terms.push(term)
    }
  }
  return terms.length < channelLimits(kind).least ? { terms: [], reasons } : { terms, reasons }
}

/** The sentence for a channel that would need a third axis. */
export function thirdUnit(term: string): string {
  return `A chart has two axes, and ${labelOf(term)} would need a third. Give it a chart of its own.`
}

/** Returns the lines of a chart; null until their columns are read. */
export function drawnLines(
  kind: Chart['kind'],
  terms: readonly string[],
  { lap, reference }: LapColumns,
  choices: UnitChoices,
): readonly DrawnLine[] | null {
  const lines: DrawnLine[] = []
  for (const term of terms) {
    const own = channelValues(term, lap, choices)
    if (!own) return null
    const { values, unit, isStepped } = own
    lines.push({
      label: labelOf(term),
      unit,
      isStepped,
      values,
      reference: (reference && channelValues(term, reference, choices)?.values) ?? null,
      colour: kind === 'lines' && terms.length > 1 ? lines.length : null,
      scale: kind !== 'lines' || lines.length === 0 || unit === lines[0]!.unit ? 'y' : 'y2',
      decimals: isStepped ? 0 : decimalsFor(reachOf(values)),
    })
  }
  return lines
}

function reachOf(values: Float64Array): number {
  let reach = 0
  for (const value of values) if (Number.isFinite(value)) reach = Math.max(reach, Math.abs(value))
  return reach
}
