import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table connected_app (
    client_id text primary key,
    name text not null,
    description text not null,
    -- SHA-256 of the secret; null for a public app, which can keep none.
    secret_hash bytea,
    redirect_uris text[] not null,
    post_logout_redirect_uris text[] not null,
    scopes text[] not null,
    created_at timestamptz not null,
    disabled_at timestamptz
  )`.execute(db)
  await sql`create table consent_grant (
    user_id text not null references person on delete cascade,
    client_id text not null references connected_app on delete cascade,
    scopes text[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, client_id)
  )`.execute(db)
  await sql`create index consent_grant_by_app on consent_grant (client_id)`.execute(db)
  // One use of a consent: an authorization code and all tokens that come from it.
  await sql`create table app_authorization (
    authorization_id text primary key,
    user_id text not null references person on delete cascade,
    client_id text not null references connected_app on delete cascade,
    scopes text[] not null,
    redirect_uri text not null,
    nonce text,
    code_hash bytea not null unique,
    code_challenge text not null,
    code_expires_at timestamptz not null,
    code_used_at timestamptz,
    signed_in_at timestamptz not null,
    created_at timestamptz not null,
    -- End of the last access token.
    access_expires_at timestamptz not null,
    -- Nothing of the authorization works after it.
    expires_at timestamptz not null
  )`.execute(db)
  await sql`create index app_authorization_by_person on app_authorization (user_id, client_id, created_at)`.execute(
    db,
  )
  await sql`create index app_authorization_by_app on app_authorization (client_id)`.execute(db)
  await sql`create index app_authorization_expiry on app_authorization (expires_at)`.execute(db)
  // Used ones stay until they expire, so that a second use shows that a copy exists.
  await sql`create table app_refresh_token (
    token_hash bytea primary key,
    authorization_id text not null references app_authorization on delete cascade,
    created_at timestamptz not null,
    used_at timestamptz
  )`.execute(db)
  await sql`create index app_refresh_token_by_authorization on app_refresh_token (authorization_id, created_at)`.execute(
    db,
  )
  // What happened to apps and consents, for the operator. Outlives the app and, without a name, the account.
  await sql`create table app_event (
    event_id text primary key,
    happened_at timestamptz not null,
    kind text not null,
    client_id text not null,
    user_id text references person on delete set null,
    scopes text[] not null
  )`.execute(db)
  await sql`create index app_event_by_app on app_event (client_id, happened_at)`.execute(db)
  await sql`create index app_event_by_person on app_event (user_id)`.execute(db)
  await sql`create index app_event_age on app_event (happened_at)`.execute(db)
}
