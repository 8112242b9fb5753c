import { type Kysely, sql } from 'kysely'

/** The event tables of a service's schema; the service's first migration creates them. */
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
 * Creates the three tables: `event_outbox` (events to send), `event_delivery` (subscribers that still need
 * them) and `event_inbox` (ids of handled events).
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
