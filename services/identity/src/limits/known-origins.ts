import { type RawBuilder, sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { KnownOrigin, Origin } from './limits.ts'
import { networkOf } from './network-of.ts'

/** Newest browsers, and newest networks, that an account remembers. */
export const MAX_KNOWN_ORIGINS = 16

/**
 * Remembers the browsers and networks that signed in to an account. A known one can still try a password
 * if strangers have used up the tries of the account. Only digests are stored.
 */
export interface KnownOrigins {
  /** Selects whether the account of `userId`, a column of the caller's query, knows the origin. */
  select(origin: Origin, userId: RawBuilder<unknown>): RawBuilder<unknown>
  /**
   * Selects the same for the account of a mail address; no row while the address is unproved. A stranger could
   * have signed up with it from any number of browsers.
   */
  selectFor(origin: Origin, accountKey: string): RawBuilder<KnownOrigin>
  /** Selects the same for the account of a number in E.164. */
  selectForPhone(origin: Origin, number: string): RawBuilder<KnownOrigin>
  /** Selects the same for the account of a wallet. */
  selectForWallet(origin: Origin, wallet: Wallet): RawBuilder<KnownOrigin>
  /** Selects the same for an account. */
  selectOf(origin: Origin, userId: string): RawBuilder<KnownOrigin>
  /** Selects whether any account knows the browser, for a request that names none. */
  selectAny(origin: Origin): RawBuilder<KnownOrigin>
  /** Stores that a person signed in from this origin. Replaces the oldest ones. */
  remember(userId: string, origin: { readonly ipAddress: string; readonly browser: string }): Promise<void>
}

export function createKnownOrigins(tools: { db: Db; cipher: Cipher; now: () => Date }): KnownOrigins {
  const { db, cipher, now } = tools
  const digest = (kind: Kind, value: string) => cipher.digest(`${kind} ${value}`, 'origin')
  const isKnown = (kind: Kind, value: string | null, userId: RawBuilder<unknown>) =>
    value === null
      ? sql`false`
      : sql`exists (select from known_origin where known_origin.user_id = ${userId}
          and known_origin.digest = ${digest(kind, value)})`

  const select: KnownOrigins['select'] = ({ ipAddress, browser }, userId) => sql`
    ${isKnown('browser', browser, userId)} as "isKnownBrowser",
    ${isKnown('network', networkOf(ipAddress), userId)} as "isKnownNetwork"`

  return {
    select,
    selectFor: (origin, accountKey) => sql`select ${select(origin, sql.ref('email.user_id'))}
      from email where email.address_key = ${accountKey} and email.verified`,
    selectForPhone: (origin, number) => sql`select ${select(origin, sql.ref('phone_number.user_id'))}
      from phone_number where phone_number.number = ${number}`,
    selectForWallet: (origin, { type, address }) => sql`
      select ${select(origin, sql.ref('crypto_wallet.user_id'))}
      from crypto_wallet where crypto_wallet.wallet_type = ${type} and crypto_wallet.address = ${address}`,
    selectAny: ({ browser }) =>
      browser === null
        ? sql`select false as "isKnownBrowser", false as "isKnownNetwork"`
        : sql`select exists (select from known_origin where digest = ${digest('browser', browser)})
            as "isKnownBrowser", false as "isKnownNetwork"`,
    selectOf: (origin, userId) => sql`select ${select(origin, sql`${userId}::text`)}`,
    async remember(userId, { ipAddress, browser }) {
      const at = now()
      const shown = [
        sql`(${userId}::text, ${digest('browser', browser)}::bytea, 'browser', ${at}::timestamptz)`,
        sql`(${userId}::text, ${digest('network', networkOf(ipAddress))}::bytea, 'network', ${at}::timestamptz)`,
      ]
      // One statement deletes the oldest origins and inserts the new ones. It inserts nothing if the
      // person is deleted meanwhile.
      await sql`
        with shown (user_id, digest, kind, seen_at) as (values ${sql.join(shown)}),
          pruned as (
            delete from known_origin using (
              select digest, row_number() over (partition by kind order by seen_at desc, digest) as place
              from known_origin where user_id = ${userId} and digest not in (select digest from shown)
            ) as older
            where known_origin.user_id = ${userId} and known_origin.digest = older.digest
              and older.place >= ${MAX_KNOWN_ORIGINS})
        insert into known_origin (user_id, digest, kind, seen_at)
        select shown.* from shown join person using (user_id) order by digest
        on conflict (user_id, digest) do update set seen_at = excluded.seen_at`.execute(db)
    },
  }
}

/** Deletes every origin of an account, so that a person who knew its old password counts as a stranger. */
export async function forgetOrigins(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('known_origin').where('user_id', '=', userId).execute()
}

type Kind = 'browser' | 'network'
