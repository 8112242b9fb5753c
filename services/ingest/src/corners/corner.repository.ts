import type { FoundCorner, TrackCorner, TrackName } from '@lapwing/telemetry/corners'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import {
  elsewhere,
  findTrackLocation,
  type LapLocationRow,
  toLapLocation,
} from '../tracks/track-location.repository.ts'
import { chooseSightings, type StoredSighting } from './choose-sightings.ts'
import type { Evidence, StoredCorners } from './decide-corners.ts'
import type { Sighting } from './sighting.ts'

/**
 * Stores the sighting of a driver, unless an earlier lap of theirs that counts is as fast. The next sweep
 * chooses which of them stay.
 */
export async function storeSighting(
  trx: Transaction<Database>,
  { trackId, userId }: { readonly trackId: number; readonly userId: string },
  { lapId, lengthM, corners }: Sighting,
): Promise<void> {
  await sql`insert into track_sighting (track_id, user_id, lap_id, length_m, corners)
    select ${trackId}, ${userId}, lap.id, ${lengthM}::double precision, ${JSON.stringify(corners)}::jsonb
    from lap where lap.id = ${lapId} and lap.counts
    on conflict (track_id, user_id) do update set lap_id = excluded.lap_id, length_m = excluded.length_m,
      corners = excluded.corners, is_counted = false
    where not exists (select from lap before, lap after
      where before.id = track_sighting.lap_id and before.counts and before.deleted_at is null
        and after.id = excluded.lap_id and before.time_ms <= after.time_ms)`.execute(trx)
}

/** Marks the sightings of an account to be counted again, because it has gained or lost its vote. */
export async function recountSightingsOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`update track_sighting set is_counted = false where user_id = ${userId}`.execute(trx)
}

/** Marks all sightings of a track to be counted again, because its location has changed. */
export async function recountSightingsAt(trx: Transaction<Database>, trackId: number): Promise<void> {
  await sql`update track_sighting set is_counted = false where (track_id, user_id) in (
    select track_id, user_id from track_sighting where track_id = ${trackId} for update skip locked)`.execute(
    trx,
  )
}

/**
 * Finds the next track to refine, in the order of ids: it has new sightings, or the only driver behind its
 * corners drove elsewhere. Null if there is none after `after`.
 */
export async function findTrackToRefine(db: Kysely<Database>, after: number): Promise<number | null> {
  const { rows } = await sql<{ track_id: number | null }>`
    select least(
      (select min(track_id) from track_sighting where not is_counted and track_id > ${after}),
      (select min(track_corners.track_id) from track_corners join lap on lap.id = track_corners.founder_lap_id
        where track_corners.founder_lap_id is not null and ${elsewhere} = any(lap.reasons)
          and track_corners.track_id > ${after})) as track_id`.execute(db)
  return rows[0]?.track_id ?? null
}

/** Locks and returns the corners of a track; null while another process refines them. */
export async function lockCorners(
  trx: Transaction<Database>,
  trackId: number,
): Promise<StoredCorners | null> {
  await sql`insert into track_corners (track_id) values (${trackId}) on conflict do nothing`.execute(trx)
  const { rows } = await sql<CornersRow>`
    select corners, next_id, length_m, founder_lap_id, is_provisional from track_corners
    where track_id = ${trackId} for update skip locked`.execute(trx)
  const row = rows[0]
  return row === undefined ? null : toStored(row)
}

interface CornersRow {
  readonly corners: readonly TrackCorner[]
  readonly next_id: number
  readonly length_m: number | null
  readonly founder_lap_id: string | null
  readonly is_provisional: boolean
}

function toStored(row: CornersRow): StoredCorners {
  const { corners, next_id, length_m, founder_lap_id, is_provisional } = row
  return {
    corners,
    nextId: next_id,
    lengthM: length_m,
    founderLapId: founder_lap_id,
    isProvisional: is_provisional,
  }
}

/**
 * Returns the sightings of a track and marks them as counted. A sighting of a transaction that has not
 * committed yet is left for the next sweep. Deletes sightings of laps that no longer count, and those that the
 * track does not need.
 */
export async function readEvidence(
  trx: Transaction<Database>,
  trackId: number,
  founderLapId: string | null,
): Promise<Evidence> {
  await sql`delete from track_sighting where (track_id, user_id) in (
    select track_id, user_id from track_sighting
    where track_id = ${trackId} and not exists (
      select from lap where lap.id = track_sighting.lap_id and lap.counts and lap.deleted_at is null)
    for update skip locked)`.execute(trx)
  await sql`update track_sighting set is_counted = true where (track_id, user_id) in (
    select track_id, user_id from track_sighting where track_id = ${trackId} and not is_counted
    for update skip locked)`.execute(trx)
  const location = await findTrackLocation(trx, trackId)
  const { valid, others, surplus } = chooseSightings(await findSightings(trx, trackId), location)
  await sql`delete from track_sighting where (track_id, user_id) in (
    select track_id, user_id from track_sighting
    where track_id = ${trackId} and lap_id = any(${surplus.map(({ lapId }) => lapId)}::uuid[])
    for update skip locked)`.execute(trx)
  const { rows } = await sql<{ is_elsewhere: boolean }>`
    select exists (select from lap where id = ${founderLapId}::uuid and ${elsewhere} = any(reasons))
      as is_elsewhere`.execute(trx)
  return { valid, others, isLocated: location !== null, isFounderElsewhere: rows[0]!.is_elsewhere }
}

/** Returns the counted sightings of a track. */
async function findSightings(
  trx: Transaction<Database>,
  trackId: number,
): Promise<readonly StoredSighting[]> {
  const { rows } = await sql<SightingRow>`
    select seen.user_id, seen.lap_id, seen.length_m, seen.corners, lap.time_ms, lap.recorded_at,
      lap.line_lat, lap.line_lon, lap.length_m as lap_length_m, coalesce(person.can_vote, false) as can_vote,
      encode(person.network, 'hex') as network, person.account_created_at
    from track_sighting seen join lap on lap.id = seen.lap_id
      left join person on person.user_id = seen.user_id
    where seen.track_id = ${trackId} and seen.is_counted`.execute(trx)
  return rows.map(({ line_lat, line_lon, lap_length_m, ...row }) => ({
    userId: row.user_id,
    lapId: row.lap_id,
    lengthM: row.length_m,
    corners: row.corners,
    timeMs: row.time_ms,
    recordedAt: row.recorded_at,
    location: toLapLocation({ line_lat, line_lon, length_m: lap_length_m }),
    voter: row.can_vote ? { network: row.network, createdAt: row.account_created_at! } : null,
  }))
}

interface SightingRow extends Omit<LapLocationRow, 'length_m'> {
  readonly user_id: string
  readonly lap_id: string
  readonly length_m: number | null
  readonly corners: readonly FoundCorner[]
  readonly time_ms: number
  readonly recorded_at: Date
  readonly lap_length_m: number | null
  readonly can_vote: boolean
  readonly network: string | null
  readonly account_created_at: Date | null
}

/** Writes the corners of a track after `lockCorners`. */
export async function writeCorners(
  trx: Transaction<Database>,
  trackId: number,
  { corners, nextId, lengthM, founderLapId, isProvisional }: StoredCorners,
): Promise<void> {
  await sql`update track_corners set version = version + 1, corners = ${JSON.stringify(corners)}::jsonb,
    next_id = ${nextId}, length_m = ${lengthM}, founder_lap_id = ${founderLapId}::uuid,
    is_provisional = ${isProvisional}
    where track_id = ${trackId}`.execute(trx)
}

/** The corners of a track, with the track's own names. */
export interface NamedCorners extends TrackName {
  readonly lengthM: number | null
  readonly corners: readonly TrackCorner[]
}

/**
 * Finds the corners of the track of that name; null if it is unknown or has none. If files use the name for
 * several tracks, the track that owns the name comes first, then one with an agreed location.
 */
export async function findCornersByName(
  db: Kysely<Database>,
  { sim, track_slug, layout }: TrackName,
): Promise<NamedCorners | null> {
  const { rows } = await sql<TrackName & { length_m: number | null; corners: readonly TrackCorner[] }>`
    select track.sim, track.track_slug, track.layout, track_corners.length_m, track_corners.corners
    from combination named join combination track on track.id = named.track_id
      join track_corners on track_corners.track_id = track.id
      left join track_place on track_place.track_id = track.id
    where named.sim = ${sim} and named.track_slug = ${track_slug} and named.layout = ${layout}
      and track_corners.corners <> '[]'
    order by (track.track_slug = named.track_slug) desc, (track_place.track_id is not null) desc, track.id
    limit 1`.execute(db)
  const row = rows[0]
  if (row === undefined) return null
  const { length_m, ...named } = row
  return { ...named, lengthM: length_m }
}

/** Clears the corners of every track of that name, so that the next sweep finds them again. False if none. */
export async function forgetCorners(
  trx: Transaction<Database>,
  { sim, track_slug, layout }: TrackName,
): Promise<boolean> {
  const { rows } = await sql<{ track_id: number }>`
    update track_corners set version = version + 1, corners = '[]', founder_lap_id = null, is_provisional = true
    where track_id in (select id from combination
      where sim = ${sim} and track_slug = ${track_slug} and layout = ${layout} and id = track_id)
    returning track_id`.execute(trx)
  for (const { track_id } of rows) {
    await sql`update track_sighting set is_counted = false where track_id = ${track_id}`.execute(trx)
  }
  return rows.length > 0
}
