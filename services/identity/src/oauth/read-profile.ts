import type { Claim, Provider } from './providers.ts'

/** A provider's data about a person, checked and reduced to the fields that Lapwing stores. */
export interface Profile {
  readonly subject: string
  /** Null if the provider sends none. */
  readonly email: string | null
  readonly emailVerified: boolean
  /** An https address, or empty. */
  readonly pictureUrl: string
  readonly locale: string
}

/** Reads a profile. Throws if it has no subject. */
export function readProfile(
  { claims, emails }: Pick<Provider, 'claims' | 'emails'>,
  profile: Json,
  emailAnswer?: unknown,
): Profile {
  const subject = text(find(profile, claims.subject))
  if (subject === '' || subject.length > 255) throw new Error('the profile has no usable subject')
  const primary = emails === undefined ? null : primaryEmail(emails, emailAnswer)
  const email = text(primary === null ? find(profile, claims.email) : primary[emails!.email])
  const verified = primary === null ? find(profile, claims.verified) : primary[emails!.verified]
  return {
    subject,
    email: email === '' ? null : email,
    emailVerified: email !== '' && TRUE_VALUES.includes(verified),
    pictureUrl: pictureUrl(text(find(profile, claims.picture))),
    locale: text(find(profile, claims.locale)).slice(0, 35),
  }
}

export type Json = Readonly<Record<string, unknown>>

/** Apple and Microsoft send some booleans as text or a number. */
const TRUE_VALUES: readonly unknown[] = [true, 'true', 1, '1']

function primaryEmail({ list, primary }: NonNullable<Provider['emails']>, answer: unknown): Json | null {
  const entries = list === '' ? answer : isJson(answer) ? answer[list] : undefined
  if (!Array.isArray(entries)) throw new Error('the answer has no list of addresses')
  return entries.filter(isJson).find(entry => entry[primary] === true) ?? {}
}

function find(profile: Json, claim: Claim | undefined): unknown {
  if (claim === undefined) return undefined
  if (typeof claim === 'function') return claim(profile)
  let value: unknown = profile
  for (const key of claim.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Json)[key]
        : undefined
  }
  return value
}

/** Returns a text or an integer as text, because some ids are numbers; empty for anything else. */
function text(value: unknown): string {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : ''
}

function pictureUrl(url: string): string {
  return url.length <= 2_048 && URL.parse(url)?.protocol === 'https:' ? url : ''
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
