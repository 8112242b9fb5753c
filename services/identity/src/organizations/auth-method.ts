import type { components } from '@lapwing/contracts/identity'
import type { SessionFactor } from '../database.ts'
import { readEmail } from '../users/email-address.ts'

/** A way to sign in that an organization can allow, in the protocol's names. */
export type AuthMethod = components['schemas']['AuthMethod']

export const AUTH_METHODS = [
  'emailMagicLinks',
  'emailOtp',
  'sso',
  'passwords',
  'oauth',
] as const satisfies readonly AuthMethod[]

/** Returns whether an operator typed the name of a method. */
export function isAuthMethod(name: string): name is AuthMethod {
  return (AUTH_METHODS as readonly string[]).includes(name)
}

/** An organization as far as its policy needs it. */
interface Policy {
  readonly organizationId: string
  readonly allowedMethods: readonly AuthMethod[]
  readonly domains: readonly string[]
}

/**
 * Returns whether the organization allows a factor of a session. A link or code counts if it went to an address
 * in its domains, and a sign-in of an organization counts for that one alone.
 */
export function isAllowed(
  factor: SessionFactor,
  { organizationId, allowedMethods, domains }: Policy,
): boolean {
  const method = methodOf(factor)
  if (method === null || !allowedMethods.includes(method)) return false
  if (method === 'sso') return detail(factor, 'sso_factor', 'organization_id') === organizationId
  if (method === 'passwords' || method === 'oauth') return true
  return domains.includes(domainOf(detail(factor, 'email_factor', 'email_address')))
}

function methodOf({ type, delivery_method }: SessionFactor): AuthMethod | null {
  if (type === 'sso') return 'sso'
  if (type === 'password') return 'passwords'
  // A connected app that acts for the person is no account of theirs elsewhere.
  if (type === 'oauth') return delivery_method === 'oauth_access_token_exchange' ? null : 'oauth'
  if (delivery_method !== 'email') return null
  return type === 'magic_link' ? 'emailMagicLinks' : type === 'otp' ? 'emailOtp' : null
}

function detail(factor: SessionFactor, name: string, field: string): string {
  const details = factor[name] as Readonly<Record<string, unknown>> | undefined
  return String(details?.[field] ?? '')
}

/** Returns the domain of an address in the form of `organization_domain`. Throws `invalid_email`. */
export function domainOf(address: string): string {
  const { key } = readEmail(address)
  return key.slice(key.lastIndexOf('@') + 1)
}
