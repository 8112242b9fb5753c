import { type Kysely, sql } from 'kysely'

/** The part of a service's schema that events live in; a service's first migration makes it. */
export interface EventTables {
  event_outbox: {
    id: string
    payload: Buffer
    created_at: Date
  }
  event_delivery: {
    event_id: string
    /** `bigint`; ascending in the order in which events were written. */
    position: string
    subscriber: string
    attempts: number
    next_attempt_at: Date
  }
  event_inbox: {
    event_id: string
    received_at: Date
  }
}

/**
 * Makes the three tables: `event_outbox` (what happened), `event_delivery` (who still has to be
 * told) and `event_inbox` (what was already done here).
 */
export async function createOutboxTables(db: Kysely<unknown>): Promise<void> {
  await sql`create table event_outbox (
    id uuid primary key,
    payload bytea not null,
    created_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table event_delivery (
    position bigint generated always as identity primary key,
    event_id uuid not null references event_outbox (id) on delete cascade,
    subscriber text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default now()
  )`.execute(db)
  await sql`create index event_delivery_subscriber on event_delivery (subscriber, position)`.execute(db)
  await sql`create table event_inbox (
    event_id uuid primary key,
    received_at timestamptz not null default now()
  )`.execute(db)
}
