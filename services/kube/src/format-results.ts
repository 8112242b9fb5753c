import { formatTable } from '@lapwing/load/format-table'
import type { StepResult } from './run-steps.ts'

/** Formats one line a step: its name, the result, seconds and figures. */
export function formatResults(results: readonly StepResult[]): string {
  return formatTable([
    ['step', 'result', 'seconds', 'figures'],
    ...results.map(({ name, outcome, seconds, figures }) => [
      name,
      outcome,
      outcome === 'skipped' ? '' : seconds.toFixed(1),
      figures.length > MAX_FIGURES ? `${figures.slice(0, MAX_FIGURES)}…` : figures,
    ]),
  ])
}

/** The whole reason of a failure was printed when the step ended. */
const MAX_FIGURES = 240
