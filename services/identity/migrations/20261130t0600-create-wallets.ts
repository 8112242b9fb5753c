import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table crypto_wallet (
    crypto_wallet_id text primary key,
    user_id text not null references person on delete cascade,
    wallet_type text not null,
    -- In its only spelling: checksummed hex of Ethereum, base58 of Solana.
    address text not null,
    created_at timestamptz not null,
    constraint crypto_wallet_address unique (wallet_type, address)
  )`.execute(db)
  await sql`create index crypto_wallet_by_user on crypto_wallet (user_id)`.execute(db)
  // Texts that wallets are asked to sign. A signature names no text, so the texts wait here for it.
  await sql`create table wallet_challenge (
    nonce text primary key,
    wallet_type text not null,
    address text not null,
    -- Digest of the network, known browser or person that asked. Only they can use the text.
    requester bytea not null,
    -- The person that the wallet is added to; null for a sign-in.
    user_id text references person on delete cascade,
    message text not null,
    valid_from timestamptz not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`.execute(db)
  await sql`create index wallet_challenge_requester on wallet_challenge (requester, created_at)`.execute(db)
  await sql`create index wallet_challenge_by_user on wallet_challenge (user_id)`.execute(db)
  await sql`create index wallet_challenge_address on wallet_challenge (address)`.execute(db)
  await sql`create index wallet_challenge_expiry on wallet_challenge (expires_at)`.execute(db)
}
