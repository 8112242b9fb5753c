import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'
import { tokenError } from '../tokens/token.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import {
  addEmail,
  createUser,
  findEmail,
  findRegistration,
  lockActiveUser,
  saveRegistration,
} from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { type ProviderName, providers } from './providers.ts'
import type { Profile } from './read-profile.ts'

export interface Entered {
  readonly userId: string
  readonly registrationId: string
  /** Id of the address that provider and account share; null without one. */
  readonly emailId: string | null
  /** Address of an older account that the provider opens from now on; null otherwise. */
  readonly joinedAddress: string | null
}

/**
 * Finds the account for a provider's account: the one that used it before, or else the one with its
 * address if both sides have confirmed it. Otherwise creates an account. Throws `duplicate_email` unless
 * both sides have confirmed a shared address, because a stranger could have claimed it on the other side.
 */
export async function enterByProvider(
  work: Work,
  limits: Pick<Limits, 'countNewAccount'>,
  source: { readonly ipAddress: string },
  provider: ProviderName,
  profile: Profile,
): Promise<Entered> {
  const { trx } = work
  // Serialises two windows of the same person.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${profile.subject}`}, 0))`.execute(
    trx,
  )
  const email = emailOf(profile)
  const known = await findByProvider(trx, provider, profile)
  if (known !== null && !(await lockActiveUser(trx, known.userId))) throw tokenError('oauth')
  const userId = known?.userId ?? (await createUser(work, limits, source))
  // An unconfirmed address is not stored, because it would block its owner.
  if (known === null && email !== null && profile.emailVerified) {
    await addEmail(work, userId, email, { verified: true })
  }
  const { registrationId } = await saveRegistration(work, userId, {
    type: provider,
    subject: profile.subject,
    profilePictureUrl: profile.pictureUrl,
    locale: profile.locale,
  })
  const shared = email === null ? null : await findEmail(trx, email.key)
  const isJoined = known !== null && !known.isRegistered
  return {
    userId,
    registrationId,
    emailId: shared?.userId === userId ? shared.emailId : null,
    joinedAddress: isJoined && shared !== null ? shared.address : null,
  }
}

/** Finds the account like `enterByProvider`, without changes; null if it would create one. */
export async function findByProvider(
  db: Db | Trx,
  provider: ProviderName,
  profile: Profile,
): Promise<{ readonly userId: string; readonly isRegistered: boolean } | null> {
  const registration = await findRegistration(db, provider, profile.subject)
  if (registration !== null) return { userId: registration.userId, isRegistered: true }
  const email = emailOf(profile)
  const known = email === null ? null : await findEmail(db, email.key)
  if (known === null) return null
  if (profile.emailVerified && known.verified) return { userId: known.userId, isRegistered: false }
  const { title } = providers[provider]
  throw new IdentityError('duplicate_email', {
    message: profile.emailVerified
      ? 'An account with this email exists, but the email was never confirmed. Sign in with your password, or set a new one with “Forgot Password”, which confirms it.'
      : `An account with this email exists, but ${title} does not confirm that the email is yours. Please sign in as you did before.`,
  })
}

/** Returns the profile's address; null if it is missing or invalid. */
function emailOf({ email }: Profile): EmailAddress | null {
  if (email === null) return null
  try {
    return readEmail(email)
  } catch {
    return null
  }
}
