import type { Cipher } from '../crypto/cipher.ts'
import type { Db } from '../database.ts'
import { insertKey, lockKeys } from './key-store.ts'

export interface RotateOptions {
  readonly db: Db
  readonly cipher: Cipher
  readonly now: Date
  /** Minutes the longest token lives. */
  readonly jwtMaxMinutes: number
  /** The keys may be known to a stranger: they end now, and everybody signs in again. */
  readonly compromised: boolean
}

/** Minutes a key is published before it signs, so that every verifier has it by then. */
const LEAD_MINUTES = 20

/**
 * Makes a new key. It is published at once, signs in 20 minutes, and the old ones stay published
 * until the last token they signed has ended. Keys that have retired are deleted.
 *
 * @returns the new key's id
 */
export async function rotateKeys({
  db,
  cipher,
  now,
  jwtMaxMinutes,
  compromised,
}: RotateOptions): Promise<string> {
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const signsFrom = compromised ? now : after(LEAD_MINUTES)
  return db.transaction().execute(async trx => {
    await lockKeys(trx)
    await trx
      .updateTable('signing_key')
      .set({ retires_at: compromised ? now : after(LEAD_MINUTES + jwtMaxMinutes + 10) })
      .$if(!compromised, query => query.where('retires_at', 'is', null))
      .execute()
    await trx.deleteFrom('signing_key').where('retires_at', '<=', now).execute()
    return insertKey(trx, cipher, { createdAt: now, signsFrom })
  })
}
