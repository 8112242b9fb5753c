import type { Trx } from '../database.ts'
import type { Work } from '../work.ts'

/** The authenticator app of a person. */
export interface Totp {
  readonly totpId: string
  readonly secretSealed: Buffer
  readonly verified: boolean
  /** Step of the newest accepted code; null before the first. */
  readonly lastStep: number | null
  /** Until when an unverified app can be verified. */
  readonly expiresAt: Date
}

/** Returns the person's authenticator app, locked until the change is over; null without one. */
export async function lockTotp(trx: Trx, userId: string): Promise<Totp | null> {
  const row = await trx
    .selectFrom('totp')
    .select([
      'totp_id as totpId',
      'secret_sealed as secretSealed',
      'verified',
      'last_step as lastStep',
      'expires_at as expiresAt',
    ])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : { ...row, lastStep: row.lastStep === null ? null : Number(row.lastStep) }
}

/** A recovery code in both stored forms. */
export interface SealedCode {
  readonly id: string
  readonly sealed: Buffer
  readonly digest: Buffer
}

/** Replaces the person's authenticator app by an unverified one. */
export async function replaceTotp(
  { trx, now }: Work,
  userId: string,
  totp: Pick<Totp, 'totpId' | 'secretSealed' | 'expiresAt'> & { readonly codes: readonly SealedCode[] },
): Promise<void> {
  await trx.deleteFrom('totp').where('user_id', '=', userId).execute()
  await trx
    .insertInto('totp')
    .values({
      totp_id: totp.totpId,
      user_id: userId,
      secret_sealed: totp.secretSealed,
      created_at: now,
      expires_at: totp.expiresAt,
    })
    .execute()
  await trx
    .insertInto('recovery_code')
    .values(
      totp.codes.map(({ id, sealed, digest }) => ({
        recovery_code_id: id,
        totp_id: totp.totpId,
        code_sealed: sealed,
        code_digest: digest,
        used_at: null,
      })),
    )
    .execute()
}

/** Stores the step of an accepted code. The first one verifies the authenticator app. */
export async function acceptStep(
  trx: Trx,
  userId: string,
  { totpId, verified }: Totp,
  step: number,
): Promise<void> {
  await trx
    .updateTable('totp')
    .set({ last_step: String(step), verified: true })
    .where('totp_id', '=', totpId)
    .execute()
  if (!verified)
    await trx.updateTable('person').set({ has_totp: true }).where('user_id', '=', userId).execute()
}

/** Removes the person's authenticator app, if its id is `totpId`. Returns whether it was verified; null without one. */
export async function removeTotp(trx: Trx, userId: string, totpId?: string): Promise<boolean | null> {
  const removed = await trx
    .deleteFrom('totp')
    .where('user_id', '=', userId)
    .$if(totpId !== undefined, query => query.where('totp_id', '=', totpId!))
    .returning('verified')
    .executeTakeFirst()
  if (removed?.verified) {
    await trx.updateTable('person').set({ has_totp: false }).where('user_id', '=', userId).execute()
  }
  return removed?.verified ?? null
}

/** Returns the sealed codes that are not used yet. */
export async function unusedCodes(
  trx: Trx,
  totpId: string,
): Promise<readonly { readonly id: string; readonly sealed: Buffer }[]> {
  return trx
    .selectFrom('recovery_code')
    .select(['recovery_code_id as id', 'code_sealed as sealed'])
    .where('totp_id', '=', totpId)
    .where('used_at', 'is', null)
    .orderBy('recovery_code_id')
    .execute()
}

/** Uses a recovery code up. Returns its id; null if it is unknown or used. */
export async function acceptRecoveryCode(
  { trx, now }: Work,
  totpId: string,
  digest: Buffer,
): Promise<string | null> {
  const row = await trx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('totp_id', '=', totpId)
    .where('code_digest', '=', digest)
    .where('used_at', 'is', null)
    .returning('recovery_code_id')
    .executeTakeFirst()
  return row?.recovery_code_id ?? null
}
