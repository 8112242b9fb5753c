import { endAuthorizationsOf } from '../connected-apps/end-authorizations.ts'
import { notifyOfWay, type WayMailer } from '../mail/notify-of-way.ts'
import { endSessionsOf } from '../sessions/session.repository.ts'
import { dropTokens } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { removeTotp } from './totp.repository.ts'

/**
 * Removes the authenticator app and the recovery codes of an account for its operator. Ends its sessions and drops
 * its mailed codes and links, because a stranger can have set the app up. Mails its owner. Returns false if the
 * account has no confirmed app.
 */
export async function removeApp(work: Work, mailer: WayMailer, userId: string): Promise<boolean> {
  // Every change locks first the person and then the sessions, so that two changes cannot deadlock.
  await lockActiveUser(work.trx, userId)
  if (!(await removeTotp(work.trx, userId))) return false
  await endSessionsOf(work, userId)
  await dropTokens(work.trx, userId)
  await endAuthorizationsOf(work, userId)
  await notifyOfWay(work, mailer, userId, 'totp_removed')
  return true
}
