import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { ORPHAN_MS } from '../world/process-env.ts'
import type { World } from '../world/world.ts'
import { listSeries } from './list-series.ts'

/** Time in which the services must finish all work after the last fault, milliseconds. */
const QUIET_WITHIN_MS = 60_000

/**
 * Waits until nothing is left to do: every ingest ended, every standing confirmed, no temporary file. Returns
 * what is left after the time limit, as sentences; empty if nothing is.
 */
export async function awaitQuiet(world: World, owner: pg.Client): Promise<string[]> {
  return waitUntilEmpty(QUIET_WITHIN_MS, () => listUnfinished(world, owner))
}

/** Waits until every series has its lap. ingest removes the series of failed attempts after some time. */
export async function awaitNoOrphans(world: World, owner: pg.Client): Promise<string[]> {
  return waitUntilEmpty(QUIET_WITHIN_MS + ORPHAN_MS, async () => {
    const { withoutLap } = await listSeries(world, owner)
    return withoutLap.map(key => `the series ${key} has no lap`)
  })
}

async function waitUntilEmpty(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const left = await look()
    if (left.length === 0 || performance.now() > deadline) return left
    await delay(100)
  }
}

async function listUnfinished(world: World, owner: pg.Client): Promise<string[]> {
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
    // Each process has its own folder in it; files below that belong to work in progress.
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    left.push(...files.map(file => `the file ${file.parentPath}/${file.name} is left`))
  }
  return left
}
