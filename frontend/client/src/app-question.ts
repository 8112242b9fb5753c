import type { AuthorizeRequest, LogoutRequest } from './contract.ts'

/** What an app asks of a page such as `/consent`. */
export type AppQuestion =
  | { readonly kind: 'connect'; readonly request: AuthorizeRequest }
  | { readonly kind: 'sign-out'; readonly request: LogoutRequest }
  /** The address lacks what every app must send. */
  | { readonly kind: 'none' }

/** Parameters that are passed on unchanged. */
const PASSED = ['prompt', 'state', 'nonce', 'code_challenge', 'code_challenge_method'] as const

/** Reads the address to which an app sent the browser. identity decides whether its values are right. */
export function readQuestion(query: URLSearchParams): AppQuestion {
  const given = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap(name => {
        const value = query.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
  const clientId = query.get('client_id')
  const afterLogout = query.get('post_logout_redirect_uri')
  if (clientId !== null && afterLogout !== null) {
    const request = { client_id: clientId, post_logout_redirect_uri: afterLogout }
    return { kind: 'sign-out', request: { ...request, ...given(['state', 'id_token_hint']) } }
  }
  const redirectUri = query.get('redirect_uri')
  if (clientId === null || redirectUri === null) return { kind: 'none' }
  const resources = query.getAll('resource')
  return {
    kind: 'connect',
    request: {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: query.get('response_type') ?? 'code',
      scopes: (query.get('scope') ?? 'openid email profile').split(' ').filter(name => name !== ''),
      ...given(PASSED),
      ...(resources.length > 0 && { resources }),
    },
  }
}

/** Returns where the browser goes, as people know it: the host, or the name of a program's own scheme. */
export function destinationOf(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  return url.host === '' ? url.protocol.replace(/:$/, '') : url.host
}
