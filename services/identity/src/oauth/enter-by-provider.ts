import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'
import { type TokenKind, tokenError } from '../tokens/token.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import {
  addEmail,
  createUser,
  type Email,
  findEmail,
  findRegistration,
  lockActiveUser,
  saveRegistration,
} from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { type ProviderName, providers } from './providers.ts'
import type { Profile } from './read-profile.ts'

/** Where people have their accounts. */
export interface Source {
  /** Its `provider_type`. */
  readonly type: string
  readonly title: string
  /** Kind of the token that proves such an account here. */
  readonly tokenKind: TokenKind
}

/** Returns the source of a provider of social sign-in. */
export function sourceOf(provider: ProviderName): Source {
  return { type: provider, title: providers[provider].title, tokenKind: 'oauth' }
}

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
 * both sides have confirmed a shared address, because a stranger could have claimed it on the other side. Call
 * `lockProfile` first.
 */
export async function enterByProvider(
  work: Work,
  limits: Pick<Limits, 'countNewAccount'>,
  source: { readonly ipAddress: string },
  provider: Source,
  profile: Profile,
): Promise<Entered> {
  const { trx } = work
  const email = emailOf(profile)
  const known = await findByProvider(trx, provider, profile)
  if (known !== null && !(await lockActiveUser(trx, known.userId))) throw tokenError(provider.tokenKind)
  const userId = known?.userId ?? (await createUser(work, limits, source))
  // An unconfirmed address is not stored, because it would block its owner.
  if (known === null && email !== null && profile.emailVerified) {
    await addEmail(work, userId, email, { verified: true })
  }
  const { shared, ...saved } = await saveProfile(work, userId, provider.type, profile)
  const isJoined = known !== null && !known.isRegistered
  return { ...saved, userId, joinedAddress: isJoined && shared !== null ? shared.address : null }
}

/** Serialises changes by two windows of the same person. Call it before the person is locked. */
export async function lockProfile(trx: Trx, { type }: Source, { subject }: Profile): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${type} ${subject}`}, 0))`.execute(trx)
}

/** Stores a provider's account as a way into an account. Returns its id and the address that both share. */
export async function saveProfile(
  work: Work,
  userId: string,
  type: string,
  profile: Profile,
): Promise<Pick<Entered, 'registrationId' | 'emailId'> & { readonly shared: Email | null }> {
  const { registrationId } = await saveRegistration(work, userId, {
    type,
    subject: profile.subject,
    profilePictureUrl: profile.pictureUrl,
    locale: profile.locale,
  })
  const email = emailOf(profile)
  const known = email === null ? null : await findEmail(work.trx, email.key)
  const shared = known?.userId === userId ? known : null
  return { registrationId, emailId: shared?.emailId ?? null, shared }
}

/** Finds the account like `enterByProvider`, without changes; null if it would create one. */
export async function findByProvider(
  db: Db | Trx,
  provider: Source,
  profile: Profile,
): Promise<{ readonly userId: string; readonly isRegistered: boolean } | null> {
  const registration = await findRegistration(db, provider.type, profile.subject)
  if (registration !== null) return { userId: registration.userId, isRegistered: true }
  const email = emailOf(profile)
  const known = email === null ? null : await findEmail(db, email.key)
  if (known === null) return null
  if (profile.emailVerified && known.verified) return { userId: known.userId, isRegistered: false }
  throw new IdentityError('duplicate_email', {
    message: profile.emailVerified
      ? 'An account with this email exists, but the email was never confirmed. Sign in with your password, or set a new one with “Forgot Password”, which confirms it.'
      : `An account with this email exists, but ${provider.title} does not confirm that the email is yours. Please sign in as you did before.`,
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
