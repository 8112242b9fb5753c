import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clients } from '@lapwing/load/clients'
import { prepareFiles } from '@lapwing/load/prepared-files'
import { runStep, type Step } from '@lapwing/load/run-step'
import { type Scenario, scenarios } from '@lapwing/load/scenarios'
import { setUp } from '@lapwing/load/set-up'
import { verifyBoards } from '@lapwing/load/verify-boards'
import { type Files, type RunName, seedsOf, type World } from '@lapwing/load/world'
import type { LoadFigures, LoadName } from './protocol.ts'
import { readMetrics } from './read-metrics.ts'

/** One scenario with its own drivers and boards, which can be loaded several times. */
export interface Lane {
  readonly begin: (rate: number) => void
  readonly end: () => Promise<LoadFigures>
  /** Compares the boards with all acknowledged laps. Returns the number of rows, or rejects with the difference. */
  readonly verify: () => Promise<number>
  readonly state: () => LaneState
  /** Whether a driver waits for the verdict of a file. */
  readonly isJudging: () => boolean
}

/** Plain data, so that another process can continue. */
export interface LaneState {
  readonly world: World
  readonly arrivals: number
  /** Journeys without an answer, which may have saved a lap. */
  readonly unanswered: number
}

/** Signs drivers up and puts laps on boards, or continues with those of `state`. */
export async function createLane({
  clients,
  origin,
  scenario: name,
  state,
}: {
  readonly clients: Clients
  readonly origin: string
  readonly scenario: LoadName
  readonly state?: LaneState
}): Promise<Lane> {
  const scenario = loads[name]
  const run = state?.world.run ?? { id: randomBytes(3).toString('hex'), drivers: DRIVERS }
  const files = filesOnDemand(run)
  let world = state?.world ?? (await setUp(clients.unmeasured, { url: origin, run, scenario, files }))
  let arrivals = state?.arrivals ?? 0
  let unanswered = state?.unanswered ?? 0
  let judging = 0
  const watched: Clients = {
    ...clients,
    arriving(recorder, scheduledAtMs) {
      const http = clients.arriving(recorder, scheduledAtMs)
      return {
        ...http,
        async send(call) {
          if (call.name !== 'ingest') return http.send(call)
          judging++
          try {
            return await http.send(call)
          } finally {
            judging--
          }
        },
      }
    },
  }
  let running: { readonly stop: AbortController; readonly figures: Promise<LoadFigures> } | null = null

  async function load(rate: number, stop: AbortController): Promise<LoadFigures> {
    const oldest = watchOldestFile()
    const drivers = [...world.drivers]
    const { step, saved } = await runStep({
      ...{ scenario, world, drivers, files, clients: watched, signal: stop.signal },
      rate: { from: rate, to: rate },
      durationS: LONGEST_S,
      sizesMib: SIZES_MIB,
      firstArrival: arrivals,
      probe: { metrics: {}, pids: () => ({}) },
    })
    arrivals += step.offered
    unanswered += step.refused + step.failed
    world = { ...world, drivers, saved: [...world.saved, ...saved] }
    return figuresOf(step, await oldest.end())
  }

  return {
    begin(rate) {
      if (running !== null) throw new Error(`${name} is loaded already`)
      const stop = new AbortController()
      running = { stop, figures: load(rate, stop) }
      // `end` reports it.
      running.figures.catch(() => {})
    },
    async end() {
      if (running === null) throw new Error(`${name} is not loaded`)
      const { stop, figures } = running
      stop.abort()
      running = null
      return figures
    },
    verify: () => verifyBoards(clients.unmeasured, world, { saved: [], unanswered }),
    state: () => ({ world, arrivals, unanswered }),
    isJudging: () => judging > 0,
  }
}

/** The scenarios of `services/load` with more uploads, because a disturbance is short. */
const loads: Readonly<Record<LoadName, Scenario>> = {
  mixed: { ...scenarios.mixed, mix: { browse: 60, 'sign-in': 10, preview: 10, ingest: 20 } },
  // Boards are not looked at, but their rows are compared.
  ingest: scenarios.ingest,
}

const DRIVERS = 24
const SIZES_MIB = [2, 2, 20]
/** Longer than any disturbance. */
const LONGEST_S = 3_600

/** Returns files that are simulated shortly before they are read. */
function filesOnDemand(run: RunName): Files {
  // A bundle has it beside itself.
  const files = prepareFiles(run, 1, new URL('./file-thread.mjs', import.meta.url))
  let prepared = Promise.resolve()
  const prepare = (count: number) => {
    prepared = prepared.then(() => files.prepare(count))
    return prepared
  }
  return {
    async read(file) {
      await prepare(file + 1)
      void prepare(file + 1 + AHEAD)
      const bytes = await files.read(file)
      // The files of the seed laps are read again, by previews.
      if (file >= seedsOf(run)) files.forget(file, file + 1)
      return bytes
    },
  }
}

const AHEAD = 4

/** Watches how old the oldest file becomes that waits or is judged. Pods that cannot tell are left out. */
function watchOldestFile() {
  const isOver = new AbortController()
  let oldestS: number | null = null
  const watching = (async () => {
    while (!isOver.signal.aborted) {
      for (const { name, labels, value } of await readMetrics()) {
        const isOpen = labels.state === 'waiting' || labels.state === 'running'
        if (name === 'lapwing_ingest_oldest_seconds' && isOpen) oldestS = Math.max(oldestS ?? 0, value)
      }
      await delay(WATCH_EVERY_MS, undefined, { signal: isOver.signal }).catch(() => {})
    }
  })()
  return {
    async end(): Promise<number | null> {
      isOver.abort()
      await watching
      return oldestS
    },
  }
}

const WATCH_EVERY_MS = 3_000

function figuresOf(step: Step, oldestFileS: number | null): LoadFigures {
  const { usage, completed, refused, failed, dropped, answers, journeys, failures } = step
  return {
    seconds: usage.seconds,
    journeys: completed + refused + failed,
    requests: Object.values(answers).reduce((sum, count) => sum + count, 0),
    refused,
    failed,
    dropped,
    slowestMs: Math.max(0, ...Object.values(journeys).map(({ max }) => max)),
    oldestFileS,
    otherAnswers: Object.fromEntries(Object.entries(answers).filter(([name]) => !/ 2\d\d$/.test(name))),
    failures,
  }
}
