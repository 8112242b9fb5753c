import type { Purpose } from '../mail/mail-request.ts'
import type { EmailIntent } from '../users/enter-by-email.ts'
import type { Work } from '../work.ts'
import type { CodeChannel } from './code-channel.ts'

/** What identifies the codes that can answer a further request. */
export interface CodeRequestKey {
  readonly channel: CodeChannel
  /** Key of a mail address, or a number in E.164. */
  readonly addressKey: string
  readonly purpose: Purpose
  readonly requester: Buffer
  /** Milliseconds in which a code counts as recent. */
  readonly recentMs: number
}

/** Tries after which a code is dead, from all networks together. */
export const MAX_TRIES = 25

/** Returns the newest usable code of this channel, purpose and requester; null without one. */
export async function findLiveCode(
  { trx, now }: Work,
  { channel, addressKey, purpose, requester, recentMs }: CodeRequestKey,
): Promise<{ readonly methodId: string; readonly isRecent: boolean } | null> {
  const row = await trx
    .selectFrom('code')
    .select(['method_id', 'created_at'])
    .where('address_key', '=', addressKey)
    .where('channel', '=', channel)
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
    isRecent: Math.abs(now.getTime() - row.created_at.getTime()) < recentMs,
  }
}

export async function insertCode(
  { trx, now }: Work,
  code: EmailIntent & {
    readonly channel: CodeChannel
    readonly methodId: string
    readonly hash: Buffer
    /** Address and key of a mail address; both are the number of a phone. */
    readonly to: { readonly address: string; readonly key: string }
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
      address: code.to.address,
      address_key: code.to.key,
      channel: code.channel,
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
