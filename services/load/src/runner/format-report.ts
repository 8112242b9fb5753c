import type { Cost } from './cost-of-journey.ts'
import { lapwingCores } from './cost-of-journey.ts'
import { formatTable } from './format-table.ts'
import type { Times } from './recorder.ts'
import type { Step } from './run-step.ts'

/** A rate that was tried. */
export interface ReportedStep {
  readonly step: Step
  /** Thresholds that it crossed, in words. */
  readonly crossed: readonly string[]
  /** What was at its limit, in words, the most serious first. */
  readonly atLimit: readonly string[]
}

/** Formats one line a rate: offered, achieved, ends, times of each journey, cores. */
export function formatSteps(steps: readonly ReportedStep[]): string {
  const journeys = [...new Set(steps.flatMap(({ step }) => Object.keys(step.journeys)))]
  const head = [
    ...['offered/s', 'achieved/s', 'dropped', 'refused', 'failed'],
    ...journeys.flatMap(journey => [`${journey} p50`, 'p95', 'p99', 'max']),
    ...['cores', 'load', 'machine', 'carried'],
  ]
  const rows = steps.map(({ step, crossed }) => [
    (step.offered / step.durationS).toFixed(1),
    step.achieved.toFixed(1),
    ...[step.dropped, step.refused, step.failed].map(String),
    ...journeys.flatMap(journey => milliseconds(step.journeys[journey])),
    lapwingCores(step).toFixed(2),
    ((step.usage.cpuS.load ?? 0) / step.usage.seconds).toFixed(2),
    step.usage.machineBusy === null ? '' : `${Math.round(100 * step.usage.machineBusy)} %`,
    crossed.length === 0 ? 'yes' : 'no',
  ])
  return formatTable([head, ...rows])
}

/** Formats what happened in one step: calls with their times, answers by status, parts, and what was at its limit. */
export function formatStep({ step, crossed, atLimit }: ReportedStep): string {
  const { calls, answers, usage } = step
  const parts = new Set([...Object.keys(usage.cpuS), ...Object.keys(usage.loopDelayMs)])
  return [
    formatTable([
      ['call', 'count', 'p50', 'p95', 'p99', 'max'],
      ...Object.entries(calls).map(([name, times]) => [name, String(times.count), ...milliseconds(times)]),
    ]),
    `answers: ${Object.entries(answers)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
    formatTable([
      ['part', 'cores', 'loop p99 ms', 'queries waiting', 'statements/s'],
      ...[...parts].map(part => [
        part,
        usage.cpuS[part] === undefined ? '' : (usage.cpuS[part] / usage.seconds).toFixed(2),
        usage.loopDelayMs[part]?.toFixed(0) ?? '',
        usage.waitingQueries[part]?.toFixed(0) ?? '',
        usage.statements?.[part] === undefined ? '' : (usage.statements[part] / usage.seconds).toFixed(1),
      ]),
    ]),
    ...atLimit.map(sentence => `at its limit: ${sentence}`),
    ...crossed.map(sentence => `crossed: ${sentence}`),
    ...step.failures.map(failure => `failed: ${failure}`),
  ].join('\n')
}

/** Formats what one more journey costs. */
export function formatCost(cost: Cost): string {
  const sum = (values: Readonly<Record<string, number>>) =>
    Object.values(values).reduce((total, value) => total + value, 0)
  const list = (values: Readonly<Record<string, number>>, digits: number) =>
    Object.entries(values)
      .toSorted(([, a], [, b]) => b - a)
      .filter(([, value]) => value >= 10 ** -digits / 2)
      .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
      .join(', ')
  const { cores } = cost
  return [
    `a journey: ${sum(cost.cpuMs).toFixed(1)} ms of processor time (${list(cost.cpuMs, 1)})`,
    `  cores = ${cores.intercept.toFixed(2)} + ${cores.slope.toFixed(4)} × journeys/s, R² ${cores.r2.toFixed(3)}`,
    `  ${cost.aCore.toFixed(1)} journeys/s a core`,
    `  ${bytes(cost.sentBytes)} to Lapwing, ${bytes(cost.receivedBytes)} back`,
    ...(cost.statements === null
      ? []
      : [
          `  ${sum(cost.statements).toFixed(1)} statements (${list(cost.statements, 1)}), the database grows by ` +
            bytes(cost.databaseBytes ?? 0),
        ]),
  ].join('\n')
}

function milliseconds(times: Times | undefined): readonly string[] {
  if (times === undefined) return ['', '', '', '']
  return [times.p50, times.p95, times.p99, times.max].map(ms => ms.toFixed(ms < 10 ? 1 : 0))
}

function bytes(count: number): string {
  return count < 100_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(2)} MB`
}
