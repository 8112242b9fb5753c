import { IdentityError } from '../errors.ts'

/** Minutes after which an operator's session ends, however often it was used. */
export const IMPERSONATION_MINUTES = 60

/** Factors of a session, as far as these checks need them. */
type Factors = readonly { readonly type: string }[]

/** Returns whether an operator acts for the person in this session. */
export function isImpersonated(factors: Factors): boolean {
  return factors.some(({ type }) => type === 'impersonated')
}

/**
 * Throws `unauthorized_action` for an operator's session. Such a session shows what the person sees. It changes
 * nothing of the account, and shows no secret of it.
 */
export function refuseImpersonation({ factors }: { readonly factors: Factors }): void {
  if (!isImpersonated(factors)) return
  throw new IdentityError('unauthorized_action', {
    message: 'You act for a driver. Only the driver can change the account.',
  })
}
