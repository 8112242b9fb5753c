import { fitLine, type Line } from './fit-line.ts'
import type { Step } from './run-step.ts'

/** What one more journey costs, from steps at different rates in which every journey completed. */
export interface Cost {
  /** Processor seconds a journey of each part; those of the runner are left out. */
  readonly cpuMs: Readonly<Record<string, number>>
  /** Cores over arrivals a second: the slope is the cost of a journey, the intercept that of an idle Lapwing. */
  readonly cores: Line
  /** Journeys a second that one core carries. */
  readonly aCore: number
  /** Statements a journey, by role; null if nobody counted. */
  readonly statements: Readonly<Record<string, number>> | null
  /** Growth of the database with its indexes. */
  readonly databaseBytes: number | null
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** Returns null without two steps of different rates. */
export function costOfJourney(steps: readonly Step[]): Cost | null {
  const slopes = (readAll: (step: Step) => Readonly<Record<string, number>>) => {
    const names = new Set(steps.flatMap(step => Object.keys(readAll(step))))
    names.delete('load')
    return Object.fromEntries(
      [...names].map(name => [
        name,
        fitLine(steps.map(step => [step.achieved, (readAll(step)[name] ?? 0) / step.usage.seconds]))?.slope ??
          0,
      ]),
    )
  }
  const cores = fitLine(steps.map(step => [step.achieved, lapwingCores(step)]))
  if (cores === null) return null
  const completed = steps.reduce((sum, step) => sum + step.completed, 0)
  const each = (readOne: (step: Step) => number) =>
    steps.reduce((sum, step) => sum + readOne(step), 0) / Math.max(1, completed)
  const cpuS = slopes(({ usage }) => usage.cpuS)
  return {
    cpuMs: Object.fromEntries(Object.entries(cpuS).map(([part, seconds]) => [part, 1000 * seconds])),
    cores,
    aCore: 1 / cores.slope,
    ...(steps.some(({ usage }) => usage.statements === null)
      ? { statements: null, databaseBytes: null }
      : {
          statements: slopes(({ usage }) => usage.statements!),
          databaseBytes: each(({ usage }) => usage.databaseBytes!),
        }),
    sentBytes: each(step => step.sentBytes),
    receivedBytes: each(step => step.receivedBytes),
  }
}

/** Cores that Lapwing used in a step, without the runner. */
export function lapwingCores({ usage }: Step): number {
  const { load: _runner, ...parts } = usage.cpuS
  return Object.values(parts).reduce((sum, seconds) => sum + seconds, 0) / usage.seconds
}
