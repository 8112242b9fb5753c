import type { Trx } from '../database.ts'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { lockSessionOf } from '../sessions/lock-session-of.ts'
import { tokenError } from '../tokens/token.ts'
import { findRegistration } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { type Entered, saveProfile } from './enter-by-provider.ts'
import type { Attachment } from './flow-cookie.ts'
import type { ProviderName } from './providers.ts'
import type { Profile } from './read-profile.ts'

/** Social accounts of one person. */
const MAX_REGISTRATIONS = 20

/**
 * Adds a provider's account to the account that requested it. Counts only in the session of the request. Mail
 * addresses do not matter here: the person has both accounts open. Call `lockProfile` first.
 *
 * @throws IdentityError `oauth_token_not_found` in any other session; `duplicate_oauth_registration` if the
 * provider's account opens another account
 */
export async function attachToAccount(
  work: Work,
  deps: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  client: Client,
  { userId, sessionId }: Attachment,
  provider: ProviderName,
  profile: Profile,
): Promise<Entered> {
  const session = await lockSessionOf(work, client, userId)
  if (session?.sessionId !== sessionId) throw tokenError('oauth')
  const known = await findRegistration(work.trx, provider, profile.subject)
  // Only the owner of the provider's account learns it: they have just signed in there.
  if (known !== null && known.userId !== userId) throw new IdentityError('duplicate_oauth_registration')
  if (known === null) await requireRoomForProvider(work.trx, userId)
  const { registrationId, emailId } = await saveProfile(work, userId, provider, profile)
  if (known === null) await notifyOfWay(work, deps, userId, 'social_added')
  return { userId, registrationId, emailId, joinedAddress: null }
}

/** Throws `unauthorized_action` if the person has as many social accounts as one can have. */
export async function requireRoomForProvider(trx: Trx, userId: string): Promise<void> {
  const { registrations } = await trx
    .selectFrom('oauth_registration')
    .select(({ fn }) => fn.countAll<string>().as('registrations'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(registrations) < MAX_REGISTRATIONS) return
  throw new IdentityError('unauthorized_action', {
    message: `An account can have ${MAX_REGISTRATIONS} social accounts. Please remove one before you add another.`,
  })
}
