import { JOURNEYS, type Journey, type Scenario } from './scenarios.ts'

/** A limit of a run, in the words of k6. The names of metrics are the same in both runners. */
export interface Threshold {
  readonly metric: MetricName
  /** Only of this journey. */
  readonly journey?: Journey
  readonly statistic: 'count' | 'p(95)' | 'p(99)'
  readonly atMost: number
}

export type MetricName = 'dropped_iterations' | 'lapwing_failed' | 'lapwing_refused' | 'lapwing_journey'

export function thresholdsOf({ mix, within }: Scenario): readonly Threshold[] {
  const none = (metric: MetricName): Threshold => ({ metric, statistic: 'count', atMost: 0 })
  return [
    none('dropped_iterations'),
    none('lapwing_failed'),
    none('lapwing_refused'),
    ...JOURNEYS.filter(journey => mix[journey]).flatMap(journey => {
      const limits = within[journey]
      if (limits === undefined) return []
      const of = { metric: 'lapwing_journey', journey } as const
      return [
        { ...of, statistic: 'p(95)', atMost: limits.p95 },
        { ...of, statistic: 'p(99)', atMost: limits.p99 },
      ] as const
    }),
  ]
}

/** Writes thresholds as k6's option, such as `{ 'lapwing_journey{journey:browse}': ['p(95)<=500'] }`. */
export function k6Thresholds(thresholds: readonly Threshold[]): Record<string, string[]> {
  const written: Record<string, string[]> = {}
  for (const { metric, journey, statistic, atMost } of thresholds) {
    const name = journey === undefined ? metric : `${metric}{journey:${journey}}`
    written[name] = [...(written[name] ?? []), `${statistic}<=${atMost}`]
  }
  return written
}
