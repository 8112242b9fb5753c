import type { components } from '@lapwing/contracts/identity'
import { hasApp } from '@lapwing/identity-client/second-factor'

type Schemas = components['schemas']
export type Authenticated = Schemas['AuthenticatedData']
export type Bootstrap = Schemas['BootstrapData']
export type Strength = Schemas['PasswordStrengthData']
export type NewTotp = Schemas['TotpCreatedData']
export type FoundOrganization = Schemas['Organization']
export type Started = Schemas['AuthorizeStartedData']
export type LogoutStarted = Schemas['LogoutStartedData']
export type Submitted = Schemas['AuthorizeSubmittedData']

/** Returns whether the account has a passkey, of any domain. */
export function hasAnyPasskey({ user }: Authenticated): boolean {
  return user.webauthn_registrations.some(({ verified }) => verified)
}

/** Returns whether the account has a second factor, or another phone than the one it signed in with. */
export function hasSecondFactor(answer: Authenticated): boolean {
  const { user, session } = answer
  const signedInByPhone = session.authentication_factors.some(
    ({ delivery_method: way }) => way === 'sms' || way === 'whatsapp',
  )
  return hasApp(answer) || (!signedInByPhone && user.phone_numbers.some(({ verified }) => verified))
}

/** Returns whether the account has a passkey of the domain. */
export function hasPasskey({ user }: Authenticated, domain: string): boolean {
  return user.webauthn_registrations.some(passkey => passkey.verified && passkey.domain === domain)
}
