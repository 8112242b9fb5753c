import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { awaitQuiet } from '../check/await-quiet.ts'
import { findViolations, type Submission } from '../check/find-violations.ts'
import { listSeries } from '../check/list-series.ts'
import { readFacts } from '../check/read-facts.ts'
import { verifyBoards } from '../check/verify-boards.ts'
import { createDriverClient, type DriverClient, type Ending } from '../client/driver-client.ts'
import type { Trial, WavePlan } from '../plan/wave-plan.ts'
import type { World } from '../world/world.ts'
import { heal, injectFault } from './inject-fault.ts'

export interface WaveResult {
  /** Every violation as a sentence; empty if there is none. */
  readonly violations: readonly string[]
  /** How many drivers got the outcome of their file, during or after the faults. */
  readonly acknowledged: number
  /** Number of faults that happened. */
  readonly injected: number
  /** Seconds from the end of the last fault until nothing was left to do. */
  readonly quietS: number
}

/** Lets the drivers of a wave submit their files while its faults happen, then checks the result. */
export async function runWave(world: World, plan: WavePlan): Promise<WaveResult> {
  const calm = new AbortController()
  const clients = plan.trials.map(trial => ({ trial, client: clientOf(world, trial) }))
  const faults = plan.faults.map(fault => injectFault(world, fault, calm.signal))
  await Promise.all(
    clients.map(async ({ trial, client }) => {
      await delay(trial.startsAfterMs)
      await client.submit(trial.program)
    }),
  )
  calm.abort()
  const injected = (await Promise.all(faults)).filter(Boolean).length
  await heal(world)
  const healedMs = performance.now()
  await world.ready(AbortSignal.timeout(60_000))
  const endings = await Promise.all(clients.map(({ trial, client }) => retryAfterFaults(trial, client)))

  const owner = new pg.Client({ connectionString: world.servers.postgres.url })
  await owner.connect()
  try {
    const left = await awaitQuiet(world, owner)
    const quietS = (performance.now() - healedMs) / 1000
    const submissions = clients.map(({ trial, client }) => submissionOf(trial, client))
    const userIds = [...new Set(plan.trials.map(trial => trial.userId))]
    const crowded = await findCrowded(owner)
    const { lost } = await listSeries(world, owner)
    const facts = await readFacts(world, owner, userIds)
    return {
      violations: [
        ...left,
        ...lost.map(key => `the series ${key} of a lap is lost`),
        ...endings.flatMap(back => wrongEnding(back, crowded)),
        ...findViolations(submissions, facts),
        ...(await verifyBoards(world)),
      ],
      acknowledged: submissions.filter(one => one.outcomes.some(({ status }) => status < 300)).length,
      injected,
      quietS,
    }
  } finally {
    await owner.end()
  }
}

function clientOf(world: World, { userId, file }: Trial): DriverClient {
  const { addresses, internalKey } = world
  return createDriverClient({ userId, file, addresses, internalKey })
}

interface Return {
  readonly trial: Trial
  readonly ending: Ending
}

/** Lets a driver return after the faults. Returns null if the plan says that they do not. */
async function retryAfterFaults(trial: Trial, client: DriverClient): Promise<Return | null> {
  if (trial.program.returns === 'never') return null
  if (trial.program.returns === 'from the start') client.startOver()
  return { trial, ending: await client.submit({ ...trial.program, leaves: null }) }
}

/**
 * Returns drivers that may have reached the limit of open uploads. Lost answers to init leave more of them
 * open.
 */
async function findCrowded(owner: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await owner.query<{ user_id: string }>(
    'select user_id from upload.upload_session group by 1 having count(*) >= 20',
  )
  return new Set(rows.map(row => row.user_id))
}

/** Checks a returning driver's ending: without faults every driver must get the outcome of their file. */
function wrongEnding(back: Return | null, crowded: ReadonlySet<string>): string[] {
  if (back === null) return []
  const { trial, ending } = back
  const name = `trial ${trial.number} of ${trial.userId}, a file ${trial.kind}, returned and`
  switch (ending.kind) {
    case 'judged':
      return trial.kind === 'of no track' ? [`${name} was answered ${ending.outcome.status}`] : []
    case 'refused': {
      if (ending.code === 'upload.too_many_open' && crowded.has(trial.userId)) return []
      const isRight =
        trial.kind === 'of no track'
          ? ending.code === 'ingest.unidentified'
          : ending.code === 'upload.belongs_to_another_driver'
      return isRight ? [] : [`${name} was refused at ${ending.step}: ${ending.status} ${ending.code}`]
    }
    case 'failed':
      return [`${name} failed at ${ending.step}: ${ending.why}`]
    case 'gone':
      return [`${name} is gone`]
  }
}

function submissionOf({ userId, file }: Trial, { sessionIds, outcomes }: DriverClient): Submission {
  return { userId, file, sessionIds, outcomes }
}
