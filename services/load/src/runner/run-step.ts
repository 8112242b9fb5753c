import { type ProbeOptions, type Usage, watchUsage } from '../measure/probe.ts'
import { arrivalsOf, type LoadRate } from '../scenarios/load-rate.ts'
import { type Arrival, makeJourney } from '../scenarios/make-journey.ts'
import { journeyOf } from '../scenarios/scenarios.ts'
import { Failed, Refused } from '../steps/ask.ts'
import type { SavedLap } from '../steps/laps.ts'
import { createRecorder, type Times } from './recorder.ts'
import { runOpen } from './run-open.ts'
import type { Clients } from './undici-http.ts'

/** What one rate showed. */
export interface Step {
  readonly rate: LoadRate
  readonly durationS: number
  /** Arrivals that were due. */
  readonly offered: number
  readonly completed: number
  readonly dropped: number
  /** Journeys that ended at a limit of Lapwing: 429 or 503 with Retry-After. */
  readonly refused: number
  readonly failed: number
  /** Completed journeys a second, until the last of them ended. */
  readonly achieved: number
  /** The longest delay of a start, ms: the runner's own fault. */
  readonly latestStartMs: number
  /** From the scheduled start, by journey. */
  readonly journeys: Readonly<Record<string, Times>>
  /** By call. */
  readonly calls: Readonly<Record<string, Times>>
  /** Answers by call, status and code of the error. */
  readonly answers: Readonly<Record<string, number>>
  /** Bytes of bodies. */
  readonly sentBytes: number
  readonly receivedBytes: number
  /** The first failures, in words. */
  readonly failures: readonly string[]
  readonly usage: Usage
}

export interface StepOptions extends Pick<Arrival, 'scenario' | 'world' | 'drivers' | 'files' | 'sizesMib'> {
  readonly clients: Clients
  readonly rate: LoadRate
  readonly durationS: number
  /** Number of the first arrival: arrivals of earlier steps have used theirs. */
  readonly firstArrival: number
  readonly probe: ProbeOptions
  readonly signal: AbortSignal
}

/** Loads Lapwing at one rate. Also returns the acknowledged laps. */
export async function runStep(
  options: StepOptions,
): Promise<{ readonly step: Step; readonly saved: readonly SavedLap[] }> {
  const { scenario, world, drivers, files, sizesMib, clients, rate, durationS, firstArrival, probe } = options
  const recorder = createRecorder()
  const saved: SavedLap[] = []
  const failures: string[] = []
  const ended = { completed: 0, refused: 0, failed: 0 }

  async function iterate(index: number, scheduledAtMs: number): Promise<void> {
    const number = firstArrival + index
    const http = clients.arriving(recorder, scheduledAtMs)
    const { journey } = journeyOf(scenario, number)
    try {
      const arrival = { http, scenario, world, drivers, files, number, ...(sizesMib && { sizesMib }) }
      const lap = await makeJourney(arrival)
      if (lap !== null) saved.push(lap)
      ended.completed++
      recorder.record('journey', journey, performance.now() - scheduledAtMs)
    } catch (error) {
      if (error instanceof Refused) {
        ended.refused++
        return
      }
      ended.failed++
      if (failures.length < MAX_FAILURES) {
        failures.push(error instanceof Failed ? error.message : String((error as Error).stack))
      }
    }
  }

  const { usage, result } = await watchUsage(probe, () =>
    runOpen({
      arrivals: arrivalsOf(rate, durationS),
      maxInFlight: scenario.maxInFlight,
      iterate,
      signal: options.signal,
    }),
  )
  const { 'bytes sent': sentBytes = 0, 'bytes received': receivedBytes = 0, ...answers } = recorder.counts()
  return {
    saved,
    step: {
      rate,
      durationS,
      offered: result.started + result.dropped,
      dropped: result.dropped,
      ...ended,
      achieved: (ended.completed * 1000) / result.tookMs,
      latestStartMs: result.latestStartMs,
      journeys: recorder.times('journey'),
      calls: recorder.times('call'),
      answers,
      sentBytes,
      receivedBytes,
      failures,
      usage,
    },
  }
}

const MAX_FAILURES = 5
