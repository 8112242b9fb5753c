import type { Authenticated } from '@lapwing/identity-client/contract'
import { hasApp } from '@lapwing/identity-client/second-factor'

/** Returns whether the account has a second factor, or another phone than the one it signed in with. */
export function hasSecondFactor(answer: Authenticated): boolean {
  const { user, session } = answer
  const signedInByPhone = session.authentication_factors.some(
    ({ delivery_method: way }) => way === 'sms' || way === 'whatsapp',
  )
  return hasApp(answer) || (!signedInByPhone && user.phone_numbers.some(({ verified }) => verified))
}
