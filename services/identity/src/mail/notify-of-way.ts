import type { Deps } from '../deps.ts'
import type { Work } from '../work.ts'

/** What happened to the ways into an account; also the texts in `mails.ts`. */
export type WayChange =
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'

/** Mails a person that a way into their account has changed, within a limit. */
export async function notifyOfWay(
  work: Work,
  { limits, enqueueMail, settings }: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  userId: string,
  change: WayChange,
): Promise<void> {
  const email = await work.trx
    .selectFrom('email')
    .select(['address', 'address_key'])
    .where('user_id', '=', userId)
    // A proved address belongs to the person; an unproved one can have been typed by a stranger.
    .orderBy('verified', 'desc')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (email === undefined || !(await limits.countNotice(work.trx, change, email.address_key, work.now)))
    return
  await enqueueMail(work, change, email.address, { url: settings.publicOrigin.href })
}
