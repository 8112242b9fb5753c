import { type ErrorType, IdentityError } from './errors.ts'

/** Allowed redirects of links, by purpose; the first of each list is the default. */
export type Redirects = Readonly<Record<'login' | 'signup' | 'reset', readonly string[]>>

/**
 * Returns the requested redirect, or the default without one. Throws `error` unless the list has exactly
 * this address: any other would lend Lapwing's name to a stranger's page.
 */
export function resolveRedirect(
  redirects: Redirects,
  kind: keyof Redirects,
  asked: string | undefined,
  error: ErrorType,
): string {
  const allowed = redirects[kind]
  const url = asked === undefined || asked === '' ? allowed[0] : allowed.find(entry => entry === asked)
  if (url === undefined) throw new IdentityError(error)
  return url
}

/** Adds the token and its type to a redirect; other parameters stay. */
export function withToken(redirect: string, tokenType: string, token: string): string {
  return withParams(redirect, { stytch_token_type: tokenType, token })
}

/** Sets parameters of an address; its other parameters stay. */
export function withParams(address: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
