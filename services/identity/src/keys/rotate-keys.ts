import type { Cipher } from '../crypto/cipher.ts'
import type { Db } from '../database.ts'
import { insertKey, lockKeys } from './key-store.ts'

export interface RotateOptions {
  readonly db: Db
  readonly cipher: Cipher
  readonly now: Date
  /** Longest life of a token, in minutes. */
  readonly jwtMaxMinutes: number
  /** A stranger may know the keys: they end now, and everybody must sign in again. */
  readonly compromised: boolean
}

/** Minutes between a key's publication and its first use, so that every verifier has it by then. */
const LEAD_MINUTES = 20

/**
 * Creates a key. It is published immediately and signs after 20 minutes. The old keys stay published
 * until their last token has expired. Retired keys are deleted.
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
