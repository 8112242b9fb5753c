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
  /** The address that provider and account share, if they share one. */
  readonly emailId: string | null
  /** The account's address, where the account was there before and the provider opens it from now on. */
  readonly joinedAddress: string | null
}

/**
 * Who signs in with this account of a provider: whoever did before; else the one who has its address,
 * where both sides have confirmed it; else somebody new. Throws `duplicate_email` where an address
 * is shared that one side has not confirmed: who could claim it there would get into the account.
 */
export async function enterByProvider(
  work: Work,
  limits: Pick<Limits, 'takeNewAccount'>,
  source: { readonly ipAddress: string },
  provider: ProviderName,
  profile: Profile,
): Promise<Entered> {
  const { trx } = work
  // Two windows at once are the same person, not two.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${profile.subject}`}, 0))`.execute(
    trx,
  )
  const email = emailOf(profile)
  const known = await findByProvider(trx, provider, profile)
  if (known !== null && !(await lockActiveUser(trx, known.userId))) throw tokenError('oauth')
  const userId = known?.userId ?? (await createUser(work, limits, source))
  // An address the provider has not confirmed is not kept: somebody else's may not be held by it.
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
  const joins = known !== null && !known.isRegistered
  return {
    userId,
    registrationId,
    emailId: shared?.userId === userId ? shared.emailId : null,
    joinedAddress: joins && shared !== null ? shared.address : null,
  }
}

/** As `enterByProvider` would decide; null for somebody new. */
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
      ? 'An account with this email exists, but the email was never confirmed. Sign in with your password, or set a new one by “Forgot Password”, which confirms it.'
      : `An account with this email exists, and ${title} does not say that the email is yours. Please sign in as you did before.`,
  })
}

/** Null where the provider gave none that mail could be sent to. */
function emailOf({ email }: Profile): EmailAddress | null {
  if (email === null) return null
  try {
    return readEmail(email)
  } catch {
    return null
  }
}
