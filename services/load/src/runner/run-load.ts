import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { prepareFiles } from '../files/prepared-files.ts'
import { findBottlenecks } from '../measure/find-bottlenecks.ts'
import { arrivalsOf, type LoadRate } from '../scenarios/load-rate.ts'
import { journeyOf, type Scenario } from '../scenarios/scenarios.ts'
import { setUp, tearDown } from '../scenarios/set-up.ts'
import { verifyBoards } from '../scenarios/verify-boards.ts'
import { MAX_DRIVERS, type RunName, seedsOf } from '../scenarios/world.ts'
import type { SavedLap } from '../steps/laps.ts'
import { type Cost, costOfJourney } from './cost-of-journey.ts'
import { crossedThresholds } from './crossed-thresholds.ts'
import type { ReportedStep } from './format-report.ts'
import type { LoadOptions } from './options.ts'
import { type LoadedLapwing, startOwnStack } from './own-stack.ts'
import { runStep } from './run-step.ts'
import { searchCapacity } from './search-capacity.ts'
import { createClients } from './undici-http.ts'

export interface LoadReport {
  readonly run: RunName
  readonly steps: readonly ReportedStep[]
  /** From the rates of a search at which every journey completed; null for a single rate. */
  readonly cost: Cost | null
  /** Acknowledged laps that were found on their boards; null if none were saved. */
  readonly checkedRows: number | null
}

export interface Surroundings {
  readonly say: (line: string) => void
  readonly signal: AbortSignal
  /** Starts the Lapwing if no target is named. */
  readonly startStack?: typeof startOwnStack
}

/**
 * Prepares drivers and boards, loads Lapwing at one rate or searches for its capacity, and compares the boards
 * with the acknowledged laps. Rejects if they differ, or if the preparation fails.
 */
export async function runLoad(options: LoadOptions, surroundings: Surroundings): Promise<LoadReport> {
  const { scenario, durationS, target, metrics } = options
  const { say, signal, startStack = startOwnStack } = surroundings
  const highest = options.isSearch ? scenario.searchUpTo : Math.max(options.rate.from, options.rate.to)
  refuseTooManyFiles(scenario, highest * durationS)
  const run = newRun(scenario, highest)
  const files = prepareFiles(run, availableParallelism())
  const clients = createClients({ connections: 2 * scenario.maxInFlight })
  let lapwing: LoadedLapwing | null = null
  try {
    if (target === null) say('Starting a Lapwing of its own …')
    lapwing =
      target === null
        ? await startStack({ say, signal })
        : { url: target, probe: { metrics, pids: () => ({}) }, stop: async () => {} }
    say(`Preparing ${run.drivers} drivers of run ${run.id} …`)
    await files.prepare(seedsOf(run))
    const world = await setUp(clients.unmeasured, { url: lapwing.url, run, scenario, files })
    const drivers = [...world.drivers]
    const saved: SavedLap[] = []
    let arrivals = 0
    let unanswered = 0
    const { probe } = lapwing

    const tryRate = async (rate: LoadRate, seconds: number): Promise<ReportedStep> => {
      const count = [...arrivalsOf(rate, seconds)].length
      await files.prepare(filesUpTo(scenario, run, arrivals + count))
      const { step, saved: laps } = await runStep({
        ...{ scenario, world, drivers, files, clients, rate, probe, signal },
        ...(options.sizesMib !== null && { sizesMib: options.sizesMib }),
        durationS: seconds,
        firstArrival: arrivals,
      })
      arrivals += count
      files.forget(seedsOf(run), filesUpTo(scenario, run, arrivals))
      saved.push(...laps)
      unanswered += step.refused + step.failed
      const crossed = crossedThresholds(scenario, step)
      const atLimit = findBottlenecks(step.usage)
      const limits = atLimit.map(sentence => `; at its limit: ${sentence}`).join('')
      say(`${describe(rate)}: ${crossed.length === 0 ? 'carried' : crossed.join('; ')}${limits}`)
      return { step, crossed, atLimit }
    }

    let steps: readonly ReportedStep[]
    if (options.isSearch) {
      // Code is loaded and compiled, connections are open.
      await tryRate(options.rate, Math.min(durationS, WARM_UP_S))
      const tried = await searchCapacity({
        from: options.rate.from,
        upTo: scenario.searchUpTo,
        attempt: async rate => {
          const result = await tryRate({ from: rate, to: rate }, durationS)
          return { result, crossed: result.crossed }
        },
        signal,
      })
      steps = tried.map(({ result }) => result)
    } else {
      steps = [await tryRate(options.rate, durationS)]
    }
    const isSaving = world.saved.length + saved.length > 0
    const checkedRows = isSaving ? await verifyBoards(clients.unmeasured, world, { saved, unanswered }) : null
    // A Lapwing of its own is deleted as a whole.
    if (target !== null) await tearDown(clients.unmeasured, { ...world, drivers })
    // A slow journey costs the same. One that did not complete costs less.
    const complete = steps.map(({ step }) => step).filter(step => step.completed === step.offered)
    return { run, steps, cost: costOfJourney(complete), checkedRows }
  } finally {
    await clients.close()
    await files.close()
    await lapwing?.stop()
  }
}

const WARM_UP_S = 5

/** Returns a run with so many drivers that none of them reaches a limit of their account. */
function newRun({ arrivalsADriver }: Scenario, highestRate: number): RunName {
  const needed = Math.ceil((highestRate * 60) / arrivalsADriver)
  return {
    id: randomBytes(3).toString('hex'),
    drivers: Math.min(MAX_DRIVERS, Math.max(FEWEST_DRIVERS, needed)),
  }
}

const FEWEST_DRIVERS = 12

/** Files wait in memory until they are uploaded, so that simulating them does not disturb the measurement. */
function refuseTooManyFiles({ mix }: Scenario, arrivals: number): void {
  const files = Math.ceil((arrivals * (mix.ingest ?? 0)) / 100)
  if (files <= MAX_FILES) return
  throw new Error(
    `This run uploads ${files} files, at most ${MAX_FILES} are possible. Lower RATE or DURATION.`,
  )
}

/** About 0.5 MB each. */
const MAX_FILES = 4_000

/** Returns how many files arrivals up to `count` use, with those of the preparation. */
function filesUpTo(scenario: Scenario, run: RunName, count: number): number {
  let ingests = 0
  for (let arrival = 0; arrival < count; arrival++) {
    if (journeyOf(scenario, arrival).journey === 'ingest') ingests++
  }
  return seedsOf(run) + ingests
}

function describe({ from, to }: LoadRate): string {
  const text = (rate: number) => String(Number(rate.toFixed(2)))
  return from === to ? `${text(to)} arrivals/s` : `${text(from)} to ${text(to)} arrivals/s`
}
