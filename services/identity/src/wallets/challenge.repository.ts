import { sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db } from '../database.ts'
import type { Requester } from '../limits/mail-limits.ts'
import type { Work } from '../work.ts'
import type { Wallet } from './wallet.ts'

/** Newest challenges of one requester that are stored. Others are deleted, so that nobody fills the table. */
export const MAX_STORED = 50
/** Challenges that a signature is compared with. Each comparison takes some milliseconds of CPU time. */
export const MAX_COMPARED = 5

/** A text that a wallet was asked to sign. */
export interface Challenge {
  readonly nonce: string
  readonly message: string
  /** The person that the wallet is added to; null for a sign-in. */
  readonly userId: string | null
  readonly validFrom: Date
}

/** The client, or the person, that asks for a challenge. */
export interface Asker {
  /** Digest of the network, the known browser or the person. */
  readonly requester: Buffer
  readonly userId: string | null
}

/** Returns the asker of a sign-in: the network, or the browser if the account of the wallet knows it. */
export function clientAsker(cipher: Cipher, { key }: Requester): Asker {
  return { requester: cipher.digest(key, 'requester'), userId: null }
}

/** Returns the asker of a wallet that is added: the person, in any of their sessions. */
export function personAsker(cipher: Cipher, userId: string): Asker {
  return { requester: cipher.digest(`person ${userId}`, 'requester'), userId }
}

/** Stores a challenge, and deletes the oldest ones of its requester beyond `MAX_STORED`. */
export async function insertChallenge(
  { trx, now }: Work,
  { type, address }: Wallet,
  { requester, userId }: Asker,
  challenge: Pick<Challenge, 'nonce' | 'message' | 'validFrom'> & { readonly expiresAt: Date },
): Promise<void> {
  // One after another, so that concurrent requests cannot store more together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wallet ${requester.toString('hex')}`}, 0))`.execute(
    trx,
  )
  await trx
    .insertInto('wallet_challenge')
    .values({
      nonce: challenge.nonce,
      wallet_type: type,
      address,
      requester,
      user_id: userId,
      message: challenge.message,
      valid_from: challenge.validFrom,
      created_at: now,
      expires_at: challenge.expiresAt,
    })
    .execute()
  // Skips rows that another change deletes now: two changes that wait for each other would fail.
  await sql`delete from wallet_challenge where nonce in (
    select nonce from wallet_challenge where requester = ${requester} and nonce not in (
      select nonce from wallet_challenge where requester = ${requester}
      order by created_at desc, nonce limit ${MAX_STORED})
    for update skip locked)`.execute(trx)
}

/**
 * Returns the usable challenges for a wallet, the newest first. Those that the client's person asked for come before
 * those of the same network or browser, so that strangers displace none of them. Those of others follow, because a phone
 * changes its network.
 */
export async function listChallenges(
  db: Db,
  { type, address }: Wallet,
  { requester }: Asker,
  userId: string | null,
  now: Date,
): Promise<readonly Challenge[]> {
  return db
    .selectFrom('wallet_challenge')
    .select(['nonce', 'message', 'user_id as userId', 'valid_from as validFrom'])
    .where('wallet_type', '=', type)
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .orderBy(sql`user_id is null`)
    .orderBy(sql`requester = ${requester}`, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('nonce')
    .limit(MAX_COMPARED)
    .execute()
}

/** Uses a challenge up with the change. Returns false if it is gone. One of many concurrent tries succeeds. */
export async function useChallenge({ trx, now }: Work, nonce: string): Promise<boolean> {
  const used = await trx
    .deleteFrom('wallet_challenge')
    .where('nonce', '=', nonce)
    .where('expires_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()
  return used !== undefined
}
