import type { Config } from '../config.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Work } from '../work.ts'
import type { EnqueueMail } from './mail-outbox.ts'

/** What happened to a way into an account, or to its data; also the texts in `mails.ts`. */
export type WayChange =
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_code_used'
  | 'codes_guessed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'phone_added'
  | 'phone_removed'
  | 'social_added'
  | 'social_removed'
  | 'impersonated'
  | 'wallet_added'
  | 'wallet_removed'
  | 'app_connected'
  | 'organization_joined'

/** What a mail about a way into an account needs. */
export interface WayMailer {
  readonly limits: Pick<MailLimits, 'countNotice'>
  readonly enqueueMail: EnqueueMail
  readonly settings: Pick<Config, 'publicOrigin'>
}

/** Mails a person that a way into their account has changed, within a limit. */
export async function notifyOfWay(
  work: Work,
  { limits, enqueueMail, settings }: WayMailer,
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
