import type { Kysely } from 'kysely'
import { slotsPerBucket, topNode } from '../boards/buckets.ts'
import { statement } from '../boards/statement.ts'
import type { Database } from '../database.ts'

export interface Track {
  readonly sim: string
  readonly slug: string
  readonly layout: string
  readonly label: string
}

export interface Car {
  readonly slug: string
  readonly label: string
}

/** The tracks of which somebody has a lap, by their first names. */
export async function findTracks(db: Kysely<Database>): Promise<readonly Track[]> {
  return byLabel(await selectTracks(db, [most]))
}

/** The cars of which somebody has a lap on a track; null is any layout, and any simulator. */
export async function findCars(
  db: Kysely<Database>,
  {
    sim,
    slug,
    layout,
  }: { readonly sim: string | null; readonly slug: string; readonly layout: string | null },
): Promise<readonly Car[]> {
  return byLabel(await selectCars(db, [slug, layout, sim, most]))
}

/** As the contract says. */
const most = 5_000

/** As people look for names: without regard to case, and 2 before 10. */
const collator = new Intl.Collator('en', { numeric: true })

function byLabel<Item extends { readonly label: string; readonly slug: string }>(
  items: readonly Item[],
): readonly Item[] {
  return items.toSorted(
    (a, b) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0),
  )
}

const hasEntries = `exists (select from bucket
    where board_id in (context.id * 2, context.id * 2 + 1) and node = ${topNode}
      and running[${slotsPerBucket}] > 0)`

const selectTracks = statement<Track>(`
  select sim, slug, layout, label from track
  where exists (select from context where context.track_id = track.id and ${hasEntries})
  order by id limit $1`)

const selectCars = statement<Car>(`
  select car_slug as slug, min(car_label) as label from track_name join context using (track_id)
  where slug = $1 and ($2::text is null or layout = $2) and ($3::text is null or sim = $3) and ${hasEntries}
  group by car_slug order by car_slug limit $4`)
