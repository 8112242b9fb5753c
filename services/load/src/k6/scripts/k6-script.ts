import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { readRate } from '../../scenarios/load-rate.ts'
import { makeJourney } from '../../scenarios/make-journey.ts'
import { journeyOf, type Scenario } from '../../scenarios/scenarios.ts'
import { setUp, tearDown } from '../../scenarios/set-up.ts'
import { k6Thresholds, thresholdsOf } from '../../scenarios/thresholds.ts'
import type { World } from '../../scenarios/world.ts'
import { Refused } from '../../steps/ask.ts'
import type { Driver } from '../../steps/drivers.ts'
import { k6Files, openPack, type PackIndex } from './k6-files.ts'
import { k6Http } from './k6-http.ts'

/** k6's own, which its types leave out. */
declare const console: { error(text: string): void }

/** The exports of a script of k6. */
export interface K6Script {
  readonly options: Options
  readonly setup: () => Promise<World>
  readonly run: (world: World) => Promise<void>
  readonly teardown: (world: World) => Promise<void>
}

/** Makes a scenario a script of k6: the same steps, mix and thresholds as in the runner for Node. */
export function k6Script(scenario: Scenario): K6Script {
  const { TARGET = 'http://localhost:8080', PACK = 'load.pack', DURATION = '15' } = __ENV
  const rate = readRate(__ENV.RATE ?? String(scenario.rate))
  if (rate === null) throw new Error('RATE must be a number of arrivals a second, or two for a ramp: 5-50')
  const index = JSON.parse(open(`${PACK}.json`)) as PackIndex
  const files = k6Files(openPack(PACK), index)
  const times = new Trend('lapwing_journey', true)
  const failed = new Counter('lapwing_failed')
  const refused = new Counter('lapwing_refused')
  let drivers: Driver[] | null = null
  const common = { preAllocatedVUs: scenario.maxInFlight, maxVUs: scenario.maxInFlight, timeUnit: '10s' }
  // k6 accepts whole numbers only.
  const per10s = (arrivals: number) => Math.max(1, Math.round(arrivals * 10))
  return {
    options: {
      scenarios: {
        [scenario.name]:
          rate.from === rate.to
            ? {
                ...common,
                executor: 'constant-arrival-rate',
                rate: per10s(rate.to),
                duration: `${DURATION}s`,
                gracefulStop: '60s',
              }
            : {
                ...common,
                executor: 'ramping-arrival-rate',
                startRate: per10s(rate.from),
                stages: [{ target: per10s(rate.to), duration: `${DURATION}s` }],
                gracefulStop: '60s',
              },
      },
      thresholds: k6Thresholds(thresholdsOf(scenario)),
      setupTimeout: '15m',
      teardownTimeout: '15m',
      summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
    },
    setup: () => setUp(k6Http, { url: TARGET, run: index.run, scenario, files }),
    async run(world) {
      const startedAtMs = Date.now()
      drivers ??= [...world.drivers]
      const number = exec.scenario.iterationInTest
      const { journey } = journeyOf(scenario, number)
      try {
        await makeJourney({ http: k6Http, scenario, world, drivers, files, number })
        times.add(Date.now() - startedAtMs, { journey })
      } catch (error) {
        if (error instanceof Refused) refused.add(1, { journey, step: error.step })
        else {
          failed.add(1, { journey })
          console.error(error instanceof Error ? error.message : String(error))
        }
      }
    },
    teardown: world => tearDown(k6Http, world),
  }
}
