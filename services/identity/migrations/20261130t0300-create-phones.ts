import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table phone_number (
    phone_id text primary key,
    user_id text not null references person on delete cascade,
    -- E.164, such as +4915112345678.
    number text not null constraint phone_number_key unique,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create index phone_number_by_user on phone_number (user_id)`.execute(db)
  // How the code travelled. The previous version writes only codes by mail.
  await sql`alter table code add column channel text not null default 'email'`.execute(db)
  // Apart from mails: a slow texting provider must not delay them, and the previous version would mail texts.
  await sql`create table text_outbox (
    text_id uuid primary key,
    kind text not null,
    -- Number and words, sealed: they hold codes. Null once the text is gone.
    content_sealed bytea,
    created_at timestamptz not null,
    worthless_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    finished_at timestamptz
  )`.execute(db)
  await sql`create index text_outbox_due on text_outbox (next_attempt_at) where finished_at is null`.execute(
    db,
  )
  // Numbers that answered STOP, as digests of channel and number: most belong to no account.
  await sql`create table text_refusal (
    digest bytea primary key,
    refused_at timestamptz not null
  )`.execute(db)
}
