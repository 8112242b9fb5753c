import type { FastifyReply } from 'fastify'
import { errorTypes, type IdentityError } from '../errors.ts'
import type { OAuthSettings } from './config.ts'
import type { ProviderName } from './providers.ts'

/** Where a provider sends people back to; an operator registers it there. */
export function callbackUrl(
  { callbackOrigin }: Pick<OAuthSettings, 'callbackOrigin'>,
  name: ProviderName,
): string {
  return `${callbackOrigin}/v1/public/oauth/${name}/callback`
}

/** The page's address with what went wrong, in the names the sign-in page reads. */
export function withError(redirect: string, error: Pick<IdentityError, 'code' | 'detail'>): string {
  return withParams(redirect, {
    error_type: error.code,
    error_message: error.detail ?? errorTypes[error.code].message,
  })
}

/** For somebody who changed their mind at the provider: RFC 6749's own word for it. */
export function withDenial(redirect: string): string {
  return withParams(redirect, { error: 'access_denied', error_message: 'The sign-in was cancelled.' })
}

/** Sends the browser on. The address of this step, which may hold a code, is not told to the next page. */
export function redirectTo(reply: FastifyReply, url: string, status: 302 | 303 = 302): FastifyReply {
  return reply
    .code(status)
    .headers({ location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send()
}

function withParams(redirect: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
