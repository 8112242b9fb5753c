import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { ORPHAN_MS } from '../world/process-env.ts'
import type { World } from '../world/world.ts'
import { listSeries } from './list-series.ts'

/** How long the services have to put everything in order once nothing is broken any more. */
const QUIET_WITHIN_MS = 60_000

/**
 * Waits until nothing is left to do: every ingest ended, every standing confirmed, no file under way.
 * Answers what is left where that does not come in time; none where it does.
 */
export async function awaitQuiet(world: World, owner: pg.Client): Promise<string[]> {
  return untilNothing(QUIET_WITHIN_MS, () => whatIsLeft(world, owner))
}

/** Waits until no series is without its lap. What an attempt left that never recorded is removed with time. */
export async function awaitNoOrphans(world: World, owner: pg.Client): Promise<string[]> {
  return untilNothing(QUIET_WITHIN_MS + ORPHAN_MS, async () => {
    const { withoutLap } = await listSeries(world, owner)
    return withoutLap.map(key => `the series ${key} has no lap`)
  })
}

async function untilNothing(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const left = await look()
    if (left.length === 0 || performance.now() > deadline) return left
    await delay(100)
  }
}

async function whatIsLeft(world: World, owner: pg.Client): Promise<string[]> {
  const left: string[] = []
  const { rows: unfinished } = await owner.query<{ id: string; state: string; attempt: number }>(
    `select id, state, attempt from ingest.ingest where state not in ('done', 'failed')`,
  )
  left.push(
    ...unfinished.map(({ id, state, attempt }) => `ingest ${id} is ${state} after ${attempt} attempts`),
  )
  const { rows: unconfirmed } = await owner.query<{ user_id: string }>(
    'select user_id from ingest.standing where version > confirmed_version',
  )
  left.push(...unconfirmed.map(({ user_id }) => `a standing of ${user_id} is not confirmed`))
  for (const dir of world.tempDirs) {
    // Each process has a folder of its own in it; what is below that is under way.
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    left.push(...files.map(file => `the file ${file.parentPath}/${file.name} lies there`))
  }
  return left
}
