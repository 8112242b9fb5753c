import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table standing (
    driver_id integer not null,
    context_id integer not null,
    version bigint not null,
    -- What this version replaced, for the answer to a delivery that is repeated.
    complete_before_ms integer,
    clean_before_ms integer,
    primary key (driver_id, context_id)
  )`.execute(db)
  // No foreign keys on entry and bucket: they would make all drivers of a context lock its one row.
  await sql`create table entry (
    board_id integer not null,
    driver_id integer not null,
    time_ms integer not null,
    -- Microseconds since 1970: what a JavaScript Date would cut off decides ties (D-8).
    recorded_us bigint not null,
    lap_id uuid not null,
    is_clean boolean not null,
    -- False where a moderator hides the lap or the driver.
    is_counted boolean not null,
    primary key (board_id, driver_id)
  ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)`.execute(
    db,
  )
  // The order of a board (D-8), with all columns that a page shows.
  await sql`create unique index entry_order
    on entry (board_id, time_ms, recorded_us, lap_id) include (driver_id, is_clean)
    where is_counted`.execute(db)
  await sql`create index entry_by_lap on entry (lap_id)`.execute(db)
  // Described in src/boards/buckets.ts. A bucket is short and updated in place.
  await sql`create table bucket (
    board_id integer not null,
    level smallint not null,
    slot integer not null,
    running integer[] not null,
    primary key (board_id, level, slot)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`alter table bucket alter column running set storage plain`.execute(db)
}
