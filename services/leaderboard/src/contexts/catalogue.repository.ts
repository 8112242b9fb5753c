import { showLabels } from '@lapwing/usernames/show-labels'
import { SLOTS_PER_BUCKET, topNode } from '../boards/buckets.ts'
import { statement } from '../boards/statement.ts'
import type { Db } from '../database.ts'

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

/** Lists the tracks that have a visible lap, by their own names. */
export async function findTracks(db: Db, limit = MAX_LISTED): Promise<readonly Track[]> {
  return byLabel(await showLabels(await selectTracks(db, [limit]), 'Unnamed track'))
}

/** Lists the cars that have a visible lap on a track. Null means any layout, or any simulator. */
export async function findCars(
  db: Db,
  {
    sim,
    slug,
    layout,
  }: { readonly sim: string | null; readonly slug: string; readonly layout: string | null },
  limit = MAX_LISTED,
): Promise<readonly Car[]> {
  return byLabel(await showLabels(await selectCars(db, [slug, layout, sim, limit]), 'Unnamed car'))
}

/**
 * Limit of the contract. Above it, those with the most entries are listed: names come from files, and one
 * driver can add any number of them.
 */
const MAX_LISTED = 5_000

/** Sorts names as people search for them: case is ignored, and 2 is before 10. */
const collator = new Intl.Collator('en', { numeric: true })

function byLabel<Item extends { readonly label: string; readonly slug: string }>(
  items: readonly Item[],
): readonly Item[] {
  return items.toSorted(
    (a, b) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0),
  )
}

const entriesOf = `(select coalesce(sum(running[${SLOTS_PER_BUCKET}]), 0) as entries from bucket
    where board_id in (context.id * 2, context.id * 2 + 1) and node = ${topNode})`

const selectTracks = statement<Track>(`
  select sim, slug, layout, label from track, lateral (
    select sum(entries) as entries from context, lateral ${entriesOf} counted where context.track_id = track.id
  ) counted
  where entries > 0
  order by entries desc, id limit $1`)

const selectCars = statement<Car>(`
  select car_slug as slug, (array_agg(car_label order by context.id))[1] as label
  from track_name join context using (track_id), lateral ${entriesOf} counted
  where slug = $1 and ($2::text is null or layout = $2) and ($3::text is null or sim = $3) and entries > 0
  group by car_slug order by sum(entries) desc, car_slug limit $4`)
