import type { Scenario } from '../scenarios/scenarios.ts'
import { type Threshold, thresholdsOf } from '../scenarios/thresholds.ts'
import type { Step } from './run-step.ts'

/** Returns the thresholds that a step crossed, each with its value, as a sentence. */
export function crossedThresholds(scenario: Scenario, step: Step): readonly string[] {
  return thresholdsOf(scenario).flatMap(threshold => {
    const value = statisticOf(threshold, step)
    if (value === null || value <= threshold.atMost) return []
    const { metric, journey, statistic, atMost } = threshold
    const name = journey === undefined ? metric : `${metric} ${journey}`
    return [`${name} ${statistic} is ${Math.round(value)}, at most ${atMost} is allowed`]
  })
}

function statisticOf({ metric, journey, statistic }: Threshold, step: Step): number | null {
  if (metric === 'dropped_iterations') return step.dropped
  if (metric === 'lapwing_failed') return step.failed
  if (metric === 'lapwing_refused') return step.refused
  const times = step.journeys[journey ?? '']
  if (times === undefined) return null
  return statistic === 'p(99)' ? times.p99 : times.p95
}
