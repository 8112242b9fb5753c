import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { TextChannel } from './config.ts'

/**
 * Milliseconds in which a number that answered STOP gets no further try. Then one asks the provider again,
 * because START reaches the provider alone.
 */
const REFUSED_MS = 10 * 60_000

/** Numbers whose owner answered STOP, by channel. Only digests are stored. */
export interface TextRefusals {
  /** Stores that the provider refuses this number, because its owner answered STOP. */
  store(channel: TextChannel, number: string): Promise<void>
  /** Throws `unsubscribed_phone_number` if the provider refused this number in the last ten minutes. */
  require(trx: Trx, channel: TextChannel, number: string, now: Date): Promise<void>
}

export function createTextRefusals(tools: { db: Db; cipher: Cipher; now: () => Date }): TextRefusals {
  const { db, cipher, now } = tools
  const digestOf = (channel: TextChannel, number: string) => cipher.digest(`${channel} ${number}`, 'refusal')
  return {
    async store(channel, number) {
      const refused_at = now()
      await db
        .insertInto('text_refusal')
        .values({ digest: digestOf(channel, number), refused_at })
        .onConflict(conflict => conflict.column('digest').doUpdateSet({ refused_at }))
        .execute()
    },
    async require(trx, channel, number, at) {
      const row = await trx
        .selectFrom('text_refusal')
        .select('refused_at')
        .where('digest', '=', digestOf(channel, number))
        .where('refused_at', '>', new Date(at.getTime() - REFUSED_MS))
        .executeTakeFirst()
      if (row !== undefined) throw new IdentityError('unsubscribed_phone_number')
    },
  }
}
