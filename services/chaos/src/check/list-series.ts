import { createObjectStore } from '@lapwing/object-store'
import type pg from 'pg'
import type { World } from '../world/world.ts'

/** Compares the series in the object store with those that laps refer to. */
export async function listSeries(
  { servers }: World,
  owner: pg.Client,
): Promise<{ readonly withoutLap: readonly string[]; readonly lost: readonly string[] }> {
  const { url: endpoint, region, bucket, accessKeyId, secretAccessKey } = servers.store
  const store = createObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey })
  try {
    // Read the laps first: a series is written before its lap.
    const { rows } = await owner.query<{ key: string }>(
      'select series_key as key from ingest.lap where series_key is not null',
    )
    const referenced = new Set(rows.map(row => row.key))
    const found = new Set<string>()
    let after: string | undefined
    do {
      const { objects, next } = await store.list('laps/', { after })
      for (const { key } of objects) found.add(key)
      after = next ?? undefined
    } while (after !== undefined)
    return {
      withoutLap: [...found].filter(key => !referenced.has(key)),
      lost: [...referenced].filter(key => !found.has(key)),
    }
  } finally {
    store.close()
  }
}
