import type { Authenticated } from '@lapwing/identity-client/contract'
import { ApiError, isSessionLost } from '@lapwing/identity-client/errors'
import { hasApp, lacksSecondFactor } from '@lapwing/identity-client/second-factor'
import { createTotps } from '@lapwing/identity-client/totps'
import type { Account } from './account.ts'

/** A sign-in that still needs a second factor. Only memory holds it, so a reload ends it. */
export interface PendingSignIn {
  /** Token of its session; empty if a cookie that scripts cannot read holds it. */
  readonly token: string
  readonly remember?: boolean | undefined
  /** The account has no authenticator app yet, and Lapwing requires one here. */
  readonly needsApp: boolean
  /** The name that a new driver has typed. */
  readonly newName?: { readonly userId: string; readonly username: string }
}

/** How the driver proves the second factor. */
export type SecondFactor =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'recovery'; readonly text: string }

/** Starts the session of an answer. Returns the pending sign-in if the second factor is missing. */
export function adoptOrAsk(
  { session }: Pick<Account, 'session'>,
  answer: Authenticated,
  options?: { readonly remember: boolean },
): boolean | PendingSignIn {
  if (lacksSecondFactor(answer)) {
    return { token: answer.session_token, remember: options?.remember, needsApp: !hasApp(answer) }
  }
  return session.adopt(answer, options)
}

/** Returns why this text cannot be sent; null if it can. */
export function secondFactorProblem({ kind, text }: SecondFactor): string | null {
  if (kind === 'recovery') return text.trim() === '' ? 'Enter a recovery code' : null
  return /^\d{6}$/.test(digitsOf(text)) ? null : 'Enter the six digits of the code'
}

/**
 * Adds the second factor to a pending sign-in, or to the page's session if `pending` is null.
 *
 * @returns whether the driver is signed in
 * @throws ApiError, UnreachableError
 */
export async function addSecondFactor(
  { client, session }: Pick<Account, 'client' | 'session'>,
  pending: PendingSignIn | null,
  { kind, text }: SecondFactor,
): Promise<boolean> {
  const token = pending?.token || null
  const totps = createTotps(client)
  try {
    const answer =
      kind === 'code'
        ? await totps.authenticate({ totp_code: digitsOf(text) }, token)
        : await totps.recover({ recovery_code: text.trim() }, token)
    const { remember } = pending ?? {}
    return session.adopt(answer, remember === undefined ? undefined : { remember })
  } catch (error) {
    if (pending === null || !isSessionLost(error)) throw error
    throw new ApiError(401, {
      error_type: 'session_not_found',
      error_message: 'This sign-in has expired. Please start again.',
    })
  }
}

/** Returns whether an action needs a code of the authenticator app first. */
export function needsSecondFactor(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'insufficient_factors'
}

/** Returns whether the driver must confirm first that it is them, because the last sign-in is too old. */
export function needsRecentSignIn(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'session_too_old'
}

/** Apps show a code as two groups. */
function digitsOf(text: string): string {
  return text.replace(/\s/g, '')
}
