import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createObjectStore } from '@lapwing/object-store'
import type pg from 'pg'
import type { World } from '../world/world.ts'

/** How long the services have to put everything in order once nothing is broken any more. */
export const QUIET_WITHIN_MS = 60_000

/**
 * Waits until nothing is left to do: every ingest ended, every standing confirmed, no file under way and
 * no series without its lap. Answers what is left where that does not come in time; none where it does.
 */
export async function awaitQuiet(world: World, owner: pg.Client): Promise<string[]> {
  const deadline = performance.now() + QUIET_WITHIN_MS
  for (;;) {
    const left = await whatIsLeft(world, owner)
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
  // Only once all else is done: until then a series may be a moment ahead of its lap.
  return left.length === 0 ? orphans(world, owner) : left
}

async function orphans({ servers }: World, owner: pg.Client): Promise<string[]> {
  const { url: endpoint, region, bucket, accessKeyId, secretAccessKey } = servers.store
  const store = createObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey })
  try {
    const { rows } = await owner.query<{ key: string }>(
      'select series_key as key from ingest.lap where series_key is not null',
    )
    const known = new Set(rows.map(row => row.key))
    const found: string[] = []
    let after: string | undefined
    do {
      const { objects, next } = await store.list('laps/', { after })
      found.push(...objects.map(({ key }) => key))
      after = next ?? undefined
    } while (after !== undefined)
    const there = new Set(found)
    return [
      ...found.filter(key => !known.has(key)).map(key => `the series ${key} has no lap`),
      ...[...known].filter(key => !there.has(key)).map(key => `the lap with the series ${key} has lost it`),
    ]
  } finally {
    store.close()
  }
}
