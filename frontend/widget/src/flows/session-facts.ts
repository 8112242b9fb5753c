import type { components } from '@lapwing/contracts/identity'

type Schemas = components['schemas']
export type Authenticated = Schemas['AuthenticatedData']
export type Bootstrap = Schemas['BootstrapData']
export type Strength = Schemas['PasswordStrengthData']
export type NewTotp = Schemas['TotpCreatedData']
export type FoundOrganization = Schemas['Organization']
export type Started = Schemas['AuthorizeStartedData']
export type LogoutStarted = Schemas['LogoutStartedData']
export type Submitted = Schemas['AuthorizeSubmittedData']

/** Factors that complete the session of an account with an authenticator app. */
const COMPLETING: ReadonlySet<string> = new Set(['totp', 'recovery_codes', 'webauthn'])

/** Returns whether the session still lacks the second factor of its account. */
export function lacksSecondFactor({ user, session }: Authenticated): boolean {
  return hasApp(user) && !session.authentication_factors.some(({ type }) => COMPLETING.has(type))
}

/** Returns whether the account has a second factor, or another phone than the one it signed in with. */
export function hasSecondFactor({ user, session }: Authenticated): boolean {
  const signedInByPhone = session.authentication_factors.some(
    ({ delivery_method: way }) => way === 'sms' || way === 'whatsapp',
  )
  return hasApp(user) || (!signedInByPhone && user.phone_numbers.some(({ verified }) => verified))
}

/** Returns whether the account has a passkey of the domain. */
export function hasPasskey({ user }: Authenticated, domain: string): boolean {
  return user.webauthn_registrations.some(passkey => passkey.verified && passkey.domain === domain)
}

function hasApp(user: Authenticated['user']): boolean {
  return user.totps.some(({ verified }) => verified)
}
