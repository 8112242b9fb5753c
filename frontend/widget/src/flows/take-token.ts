import type { Problem } from '../machine/machine.ts'

type FoundToken =
  | { readonly type: 'magic_links' | 'login' | 'oauth' | 'sso' | 'reset_password'; readonly token: string }
  | { readonly type: 'failed'; readonly problem: Problem }

const TOKEN_TYPES: ReadonlySet<string> = new Set(['magic_links', 'login', 'oauth', 'sso', 'reset_password'])

/**
 * Takes the token of a link out of the page's address, so that neither a reload nor another widget of the page
 * uses it again. Other parameters stay. Null if there is none.
 */
export function takeToken(page: PageAddress): FoundToken | null {
  const url = new URL(page.href())
  const type = url.searchParams.get('stytch_token_type')
  const token = url.searchParams.get('token')
  const errorType = url.searchParams.get('error_type')
  const message = url.searchParams.get('error_message')
  const isFailure = type === null && errorType !== null && message !== null
  if (!isFailure && (type === null || token === null || !TOKEN_TYPES.has(type))) return null
  for (const name of ['stytch_token_type', 'token', 'error_type', 'error_message'])
    url.searchParams.delete(name)
  page.replaceAddress(url.href)
  if (isFailure) return { type: 'failed', problem: { type: errorType, message: message.slice(0, 200) } }
  return { type, token } as FoundToken
}

interface PageAddress {
  href(): string
  replaceAddress(href: string): void
}
