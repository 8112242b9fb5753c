import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null if the lap needs no review (D-26). A held or refused lap is on no board and no reference for others.
  await sql`alter table lap
    add column review text constraint lap_review check (review in ('held', 'released', 'refused')),
    add column review_reasons text[] not null default '{}'`.execute(db)
  await sql`create index lap_reviewed on lap (user_id, recorded_at, id)
    where review is not null and deleted_at is null`.execute(db)
  await sql`create index lap_held on lap (recorded_at) where review = 'held' and deleted_at is null`.execute(
    db,
  )
  // Decisions of moderators. A decision is deleted with its lap.
  await sql`create table lap_decision (
    id bigint generated always as identity primary key,
    lap_id uuid not null references lap on delete cascade,
    decision text not null constraint lap_decision_is check (decision in ('released', 'refused')),
    decided_by text not null,
    reason text not null,
    decided_at timestamptz not null default now()
  )`.execute(db)
  await sql`create index lap_decision_lap on lap_decision (lap_id)`.execute(db)
}
