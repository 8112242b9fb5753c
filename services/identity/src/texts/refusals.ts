import type { Cipher } from '../crypto/cipher.ts'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Work } from '../work.ts'
import type { TextChannel } from './config.ts'

/**
 * Milliseconds in which a number that the provider refused gets no further try. Then one asks the provider again,
 * because its report of a START may never arrive.
 */
const REFUSED_MS = 10 * 60_000

/** Numbers whose owner answered STOP, by channel. Only digests are stored. */
export interface TextRefusals {
  /** Stores that the provider refuses this number, because its owner answered STOP. */
  store(channel: TextChannel, number: string): Promise<void>
  /** Stores that the owner of the number wants no texts of this channel, until `start`. */
  stop(work: Work, channel: TextChannel, number: string): Promise<void>
  /** Allows texts of this channel to the number again. */
  start(work: Work, channel: TextChannel, number: string): Promise<void>
  /** Returns whether the owner of the number wants no texts of this channel. */
  isStopped(db: Db | Trx, channel: TextChannel, number: string): Promise<boolean>
  /**
   * Throws `unsubscribed_phone_number` if the owner of the number wants no texts of this channel, or if the provider
   * refused the number in the last ten minutes.
   */
  require(trx: Trx, channel: TextChannel, number: string, now: Date): Promise<void>
}

export function createTextRefusals(tools: { db: Db; cipher: Cipher; now: () => Date }): TextRefusals {
  const { db, cipher, now } = tools
  const digestOf = (channel: TextChannel, number: string) => cipher.digest(`${channel} ${number}`, 'refusal')
  const isStopped: TextRefusals['isStopped'] = async (reader, channel, number) => {
    const row = await reader
      .selectFrom('text_stop')
      .select('stopped_at')
      .where('digest', '=', digestOf(channel, number))
      .executeTakeFirst()
    return row !== undefined
  }
  return {
    async store(channel, number) {
      const refused_at = now()
      await db
        .insertInto('text_refusal')
        .values({ digest: digestOf(channel, number), refused_at })
        .onConflict(conflict => conflict.column('digest').doUpdateSet({ refused_at }))
        .execute()
    },
    async stop({ trx, now: stopped_at }, channel, number) {
      await trx
        .insertInto('text_stop')
        .values({ digest: digestOf(channel, number), stopped_at })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },
    async start({ trx }, channel, number) {
      const digest = digestOf(channel, number)
      await trx.deleteFrom('text_stop').where('digest', '=', digest).execute()
      await trx.deleteFrom('text_refusal').where('digest', '=', digest).execute()
    },
    isStopped,
    async require(trx, channel, number, at) {
      const row = await trx
        .selectFrom('text_refusal')
        .select('refused_at')
        .where('digest', '=', digestOf(channel, number))
        .where('refused_at', '>', new Date(at.getTime() - REFUSED_MS))
        .executeTakeFirst()
      if (row !== undefined || (await isStopped(trx, channel, number)))
        throw new IdentityError('unsubscribed_phone_number')
    },
  }
}
