import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table organization (
    organization_id text primary key,
    name text not null,
    -- Ways in which a session counts for the organization, in the protocol's names.
    allowed_methods text[] not null,
    created_at timestamptz not null,
    disabled_at timestamptz
  )`.execute(db)
  await sql`create table organization_domain (
    -- As in the keys of mail addresses: lower case, IDNs as ASCII. One organization claims it.
    domain text primary key,
    organization_id text not null references organization on delete cascade
  )`.execute(db)
  await sql`create index organization_domain_by_organization on organization_domain (organization_id)`.execute(
    db,
  )
  // A client of the organization's OpenID provider. Its addresses are those that an operator saw.
  await sql`create table sso_connection (
    -- Also the provider_type in oauth_registration.
    connection_id text primary key,
    organization_id text not null references organization on delete cascade,
    display_name text not null,
    issuer text not null,
    client_id text not null,
    secret_sealed bytea not null,
    client_auth text not null,
    authorize_url text not null,
    token_url text not null,
    keys_url text not null,
    profile_url text,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create index sso_connection_by_organization on sso_connection (organization_id)`.execute(db)
  await sql`create table organization_member (
    user_id text not null references person on delete cascade,
    organization_id text not null references organization on delete cascade,
    joined_at timestamptz not null,
    primary key (user_id, organization_id)
  )`.execute(db)
  await sql`create index organization_member_by_organization on organization_member (organization_id)`.execute(
    db,
  )
  // What happened to organizations and members, for the operator. Outlives the account, without its id.
  await sql`create table organization_event (
    event_id text primary key,
    happened_at timestamptz not null,
    kind text not null,
    organization_id text not null,
    user_id text references person on delete set null,
    details jsonb not null
  )`.execute(db)
  await sql`create index organization_event_by_organization on organization_event (organization_id, happened_at)`.execute(
    db,
  )
  await sql`create index organization_event_by_person on organization_event (user_id)`.execute(db)
  await sql`create index organization_event_age on organization_event (happened_at)`.execute(db)
}
