import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds a copy of a lap in the file of another account (D-11). The oldest has the lowest id.
  await sql`create table lap_fingerprint (
    id bigint generated always as identity primary key,
    lap_id uuid not null constraint lap_fingerprint_lap unique references lap on delete cascade,
    descriptor bytea not null
  )`.execute(db)
  await sql`create table lap_fingerprint_key (
    key text collate "C" not null,
    fingerprint_id bigint not null references lap_fingerprint on delete cascade,
    primary key (key, fingerprint_id)
  )`.execute(db)
  await sql`create index lap_fingerprint_key_of on lap_fingerprint_key (fingerprint_id)`.execute(db)
  // False for laps from before fingerprints: the sweeper makes theirs from their series.
  await sql`alter table lap add column is_fingerprinted boolean not null default false`.execute(db)
  await sql`create index lap_unfingerprinted on lap (recorded_at)
    where not is_fingerprinted and counts and series_key is not null`.execute(db)
  // For a moderator: the account that brought another account's lap.
  await sql`create table lap_conflict (
    id bigint generated always as identity primary key,
    ingest_id uuid not null,
    user_id text not null,
    owner_user_id text not null,
    owner_lap_id uuid not null,
    created_at timestamptz not null default now()
  )`.execute(db)
  await sql`create index lap_conflict_user on lap_conflict (user_id)`.execute(db)
  await sql`create index lap_conflict_owner on lap_conflict (owner_user_id)`.execute(db)
}
