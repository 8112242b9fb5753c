import { createOutboxTables } from '@lapwing/events'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table person (
    user_id text primary key,
    created_at timestamptz not null,
    first_name text not null default '',
    middle_name text not null default '',
    last_name text not null default '',
    -- Beside the role everybody has.
    roles text[] not null default '{}',
    trusted_metadata jsonb not null default '{}',
    untrusted_metadata jsonb not null default '{}',
    -- Set by an operator; nobody is locked for good by what strangers try.
    locked_at timestamptz
  )`.execute(db)
  await sql`create table email (
    email_id text primary key,
    user_id text not null references person on delete cascade,
    address text not null,
    -- What makes two spellings one address.
    address_key text not null constraint email_address_key unique,
    verified boolean not null,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create index email_by_user on email (user_id)`.execute(db)
  await sql`create table password (
    user_id text primary key references person on delete cascade,
    password_id text not null unique,
    hash text not null,
    requires_reset boolean not null default false,
    set_at timestamptz not null
  )`.execute(db)
  await sql`create table oauth_registration (
    oauth_user_registration_id text primary key,
    user_id text not null references person on delete cascade,
    provider_type text not null,
    provider_subject text not null,
    profile_picture_url text not null default '',
    locale text not null default '',
    created_at timestamptz not null,
    constraint oauth_registration_subject unique (provider_type, provider_subject)
  )`.execute(db)
  await sql`create index oauth_registration_by_user on oauth_registration (user_id)`.execute(db)
  await sql`create table session (
    session_id text primary key,
    user_id text not null references person on delete cascade,
    token_hash bytea not null unique,
    started_at timestamptz not null,
    last_accessed_at timestamptz not null,
    expires_at timestamptz not null,
    -- When the last of the session's JWTs ends.
    jwt_expires_at timestamptz not null,
    ip_address text not null,
    user_agent text not null,
    factors jsonb not null
  )`.execute(db)
  await sql`create index session_by_user on session (user_id)`.execute(db)
  await sql`create index session_by_expiry on session (expires_at)`.execute(db)
  // Outlives the rows of the session and its person, until the last of its JWTs expires.
  await sql`create table revoked_session (
    session_id text primary key,
    revoked_at timestamptz not null,
    jwt_expires_at timestamptz not null
  )`.execute(db)
  await sql`create index revoked_session_expiry on revoked_session (jwt_expires_at)`.execute(db)
  await sql`create table token (
    token_hash bytea primary key,
    kind text not null,
    -- Null where the address is nobody's: such a token does the same work and opens nothing.
    user_id text references person on delete cascade,
    -- Whom the token was mailed to; null for tokens that travel by redirect.
    address text,
    address_key text,
    data jsonb not null default '{}',
    code_challenges text[] not null default '{}',
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`.execute(db)
  await sql`create index token_address on token (address_key, kind, created_at)`.execute(db)
  await sql`create index token_by_user on token (user_id)`.execute(db)
  await sql`create index token_expiry on token (expires_at)`.execute(db)
  await sql`create table code (
    method_id text primary key,
    code_hash bytea not null,
    address text not null,
    address_key text not null,
    may_create boolean not null,
    -- Set where the code was asked for by somebody signed in, to add the address to them.
    user_id text references person on delete cascade,
    tries integer not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`.execute(db)
  await sql`create index code_expiry on code (expires_at)`.execute(db)
  // Counts within a window. The bucket's name is a digest, because it contains a mail or network address.
  await sql`create table attempt (
    bucket bytea primary key,
    count integer not null,
    window_ends_at timestamptz not null
  )`.execute(db)
  await sql`create index attempt_window on attempt (window_ends_at)`.execute(db)
  await sql`create table signing_key (
    kid text primary key,
    public_jwk jsonb not null,
    private_key_sealed bytea not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    retires_at timestamptz
  )`.execute(db)
  await sql`create table mail_outbox (
    mail_id uuid primary key,
    kind text not null,
    -- Recipient, subject and texts, sealed: they hold tokens. Null once the mail is gone.
    content_sealed bytea,
    created_at timestamptz not null,
    -- After this its link is worth nothing, and it is not sent any more.
    worthless_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    finished_at timestamptz
  )`.execute(db)
  await sql`create index mail_outbox_due on mail_outbox (next_attempt_at) where finished_at is null`.execute(
    db,
  )
  await createOutboxTables(db)
}
