import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The gear ratios of a few laps of each driver and board. A row counts as long as its lap does.
  await sql`create table gear_set (
    lap_id uuid primary key references lap on delete cascade,
    user_id text not null,
    board_id integer not null references combination,
    sim text not null,
    car_slug text not null,
    -- Engine speed for each metre a second (rpm per m/s), by gear.
    ratios jsonb not null
  )`.execute(db)
  await sql`create index gear_set_board on gear_set (board_id, user_id)`.execute(db)
  await sql`create index gear_set_car on gear_set (sim, car_slug)`.execute(db)
}
