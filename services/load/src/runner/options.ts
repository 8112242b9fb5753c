import { readFileSync } from 'node:fs'
import { ConfigError, flag, integer, oneOf, optional, readEnv, text, url } from '@lapwing/config'
import { type LoadRate, readRate } from '../scenarios/load-rate.ts'
import { type Scenario, scenarios } from '../scenarios/scenarios.ts'

export interface LoadOptions {
  readonly scenario: Scenario
  readonly rate: LoadRate
  readonly durationS: number
  /** Whether to search for the highest rate that Lapwing carries. */
  readonly isSearch: boolean
  /** Origin of a running Lapwing; null to start one. */
  readonly target: string | null
  /** Sizes of files in MiB, by turns; null for those of the scenario. */
  readonly sizesMib: readonly number[] | null
  /** Addresses of `/metrics` of a running Lapwing, by part. */
  readonly metrics: Readonly<Record<string, string>>
}

/** Reads the variables of `make load`. Throws a `ConfigError` with all problems. */
export function readOptions(env: Readonly<Record<string, string | undefined>>): LoadOptions {
  const {
    scenario: name,
    rate: rateText,
    durationS,
    isSearch,
    target,
    sizes,
    metrics,
  } = readEnv(
    {
      scenario: oneOf('SCENARIO', {
        choices: ['browse', 'ingest', 'mixed'],
        about: 'What arriving drivers do.',
        fallback: 'browse',
      }),
      rate: optional(text('RATE', { about: 'Arrivals a second, or two rates for a ramp.', example: '5-50' })),
      durationS: integer('DURATION', {
        min: 1,
        max: 86_400,
        about: 'Seconds of the run, or of each rate of a search.',
        fallback: 15,
      }),
      isSearch: flag('SEARCH', {
        about: 'Whether to raise the rate until Lapwing no longer carries it.',
        fallback: false,
      }),
      target: optional(
        url('TARGET', {
          schemes: ['http:', 'https:'],
          about: 'A running Lapwing. Without it one is started.',
          example: 'http://localhost:8080',
        }),
      ),
      sizes: optional(text('SIZES', { about: 'Sizes of files in MiB, by turns.', example: '2,20,100' })),
      metrics: optional(
        text('METRICS', {
          about: 'File with the addresses of metrics of a running Lapwing.',
          example: '.lapwing/metrics.json',
        }),
      ),
    },
    env,
  )
  const scenario = scenarios[name]
  const first = isSearch ? scenario.searchFrom : scenario.rate
  const rate = rateText === null ? { from: first, to: first } : readRate(rateText)
  const sizesMib = sizes?.split(',').map(Number) ?? null
  const problems = [
    ...(rate === null
      ? ['RATE must be a number of arrivals a second, or two for a ramp. For example: 5-50']
      : []),
    ...(sizesMib?.every(mib => mib >= 1 && mib <= 100) === false
      ? ['SIZES must be numbers from 1 to 100, separated by commas. For example: 2,20,100']
      : []),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    scenario,
    rate: rate!,
    durationS,
    isSearch,
    target: target?.origin ?? null,
    sizesMib,
    metrics: metrics === null ? {} : readTargets(metrics),
  }
}

/** Reads addresses from a file in the form of Prometheus's `file_sd_configs`, which `make run` writes. */
function readTargets(file: string): Readonly<Record<string, string>> {
  const groups = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly targets: readonly string[] }[]
  return Object.fromEntries(
    groups.flatMap(({ targets }) => targets.map(target => [target, `http://${target}/metrics`] as const)),
  )
}
