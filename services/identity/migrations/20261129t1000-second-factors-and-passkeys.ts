import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table totp (
    totp_id text primary key,
    -- A person has one authenticator app at most.
    user_id text not null unique references person on delete cascade,
    -- Sealed, because every check needs the secret itself.
    secret_sealed bytea not null,
    verified boolean not null default false,
    -- Steps of 30 s since 1970. A code of this step or an earlier one is refused.
    last_step bigint,
    created_at timestamptz not null,
    -- Until when an unverified one can be verified.
    expires_at timestamptz not null
  )`.execute(db)
  await sql`create index totp_expiry on totp (expires_at) where not verified`.execute(db)
  await sql`create table recovery_code (
    recovery_code_id text primary key,
    totp_id text not null references totp on delete cascade,
    -- Sealed, so that its owner can see it again.
    code_sealed bytea not null,
    code_digest bytea not null,
    used_at timestamptz,
    unique (totp_id, code_digest)
  )`.execute(db)
  // Whether the person has a verified one. A sign-in that waits for this row sees its newest value, but not
  // the newest rows of other tables.
  await sql`alter table person add column has_totp boolean not null default false`.execute(db)
  // Random, so that a passkey holds nothing about its person. Null until the first passkey.
  await sql`alter table person add column webauthn_handle text unique`.execute(db)
  await sql`create table webauthn_registration (
    webauthn_registration_id text primary key,
    user_id text not null references person on delete cascade,
    credential_id text not null constraint webauthn_credential unique,
    public_key bytea not null,
    -- Number of uses by the authenticator's own count; 0 if it does not count.
    counter bigint not null,
    transports text[] not null,
    domain text not null,
    authenticator_type text not null,
    user_agent text not null,
    name text not null,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create index webauthn_registration_by_user on webauthn_registration (user_id)`.execute(db)
}
