import { type ErrorType, IdentityError } from './errors.ts'

/** Where a link may lead, by what it is for; the first of each list is the default. */
export type Redirects = Readonly<Record<'login' | 'signup' | 'reset', readonly string[]>>

/**
 * The address a link leads to: one of the list, letter by letter, or the list's first where none was
 * asked for. Anything else would lend Lapwing's name to a stranger's page.
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

/** The redirect address with what the page needs to finish; other parameters of it stay. */
export function withToken(redirect: string, tokenType: string, token: string): string {
  const url = new URL(redirect)
  url.searchParams.set('stytch_token_type', tokenType)
  url.searchParams.set('token', token)
  return url.href
}
