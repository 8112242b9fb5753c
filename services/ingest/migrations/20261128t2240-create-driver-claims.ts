import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Keyed digest of the network that asked for the ingest; null for rows from before and unknown addresses.
  await sql`alter table ingest add column network bytea`.execute(db)
  // The facts that weigh an account's votes and claims (D-11, D-27). Identity is asked again after ask_after.
  await sql`create table person (
    user_id text primary key,
    -- Of the last file; accounts of one network have one vote. All without a network share one vote, too.
    network bytea,
    is_verified boolean not null default false,
    -- Null until identity has answered.
    account_created_at timestamptz,
    can_vote boolean not null default false,
    known_since timestamptz not null default now(),
    ask_after timestamptz not null default now()
  )`.execute(db)
  await sql`create index person_due on person (ask_after)`.execute(db)
  // Each account that saved a file with the driver number. At most one of them is bound: see sim_driver.
  await sql`create table driver_claim (
    sim text not null,
    sim_user_id text not null,
    user_id text not null,
    claimed_at timestamptz not null default now(),
    -- Set when a moderator decided about the number; a claim without it is open.
    settled_at timestamptz,
    primary key (sim, sim_user_id, user_id)
  )`.execute(db)
  await sql`create index driver_claim_user on driver_claim (user_id)`.execute(db)
  // Bound by a moderator: no claim changes it.
  await sql`alter table sim_driver add column is_decided boolean not null default false`.execute(db)

  await sql`insert into driver_claim (sim, sim_user_id, user_id, claimed_at)
    select sim, sim_user_id, user_id, created_at from sim_driver`.execute(db)
  await sql`insert into person (user_id) select user_id from track_witness
    union select user_id from sim_driver union select user_id from standing`.execute(db)
}
