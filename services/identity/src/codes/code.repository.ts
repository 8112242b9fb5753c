import { type Purpose, RESEND_MS } from '../mail/mail-request.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { EmailIntent } from '../users/enter-by-email.ts'
import type { Work } from '../work.ts'

/** Tries after which a code is dead, from all networks together. */
export const MAX_TRIES = 25

/** Returns the newest usable code of this purpose and requester; null without one. */
export async function findLiveCode(
  { trx, now }: Work,
  addressKey: string,
  purpose: Purpose,
  requester: Buffer,
): Promise<{ readonly methodId: string; readonly isRecent: boolean } | null> {
  const row = await trx
    .selectFrom('code')
    .select(['method_id', 'created_at'])
    .where('address_key', '=', addressKey)
    .where('purpose', '=', purpose)
    .where('requester', '=', requester)
    .where('used_at', 'is', null)
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  // A creation time in the future means that the clock was set back.
  return {
    methodId: row.method_id,
    isRecent: Math.abs(now.getTime() - row.created_at.getTime()) < RESEND_MS,
  }
}

export async function insertCode(
  { trx, now }: Work,
  code: EmailIntent & {
    readonly methodId: string
    readonly hash: Buffer
    readonly email: EmailAddress
    readonly purpose: Purpose
    readonly requester: Buffer
    readonly minutes: number
  },
): Promise<void> {
  await trx
    .insertInto('code')
    .values({
      method_id: code.methodId,
      code_hash: code.hash,
      address: code.email.address,
      address_key: code.email.key,
      may_create: code.mayCreate,
      user_id: code.addTo,
      purpose: code.purpose,
      requester: code.requester,
      created_at: now,
      expires_at: new Date(now.getTime() + code.minutes * 60_000),
      used_at: null,
    })
    .execute()
}
