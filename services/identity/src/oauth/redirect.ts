import type { FastifyReply } from 'fastify'
import { errorTypes, type IdentityError } from '../errors.ts'
import { withParams } from '../redirects.ts'
import type { OAuthSettings } from './config.ts'
import type { ProviderName } from './providers.ts'

/** Returns the address to which a provider redirects people. The operator registers it there. */
export function callbackUrl(
  { callbackOrigin }: Pick<OAuthSettings, 'callbackOrigin'>,
  name: ProviderName,
): string {
  return `${callbackOrigin}/v1/public/oauth/${name}/callback`
}

/** Adds an error to the page's address, in the parameters that the sign-in page reads. */
export function withError(redirect: string, error: Pick<IdentityError, 'code' | 'detail'>): string {
  return withParams(redirect, {
    error_type: error.code,
    error_message: error.detail ?? errorTypes[error.code].message,
  })
}

/** Adds RFC 6749's error for a sign-in that the person cancelled at the provider. */
export function withDenial(redirect: string): string {
  return withParams(redirect, { error: 'access_denied', error_message: 'The sign-in was cancelled.' })
}

/** Redirects the browser. Sends no referrer, because the address of this step can hold a code. */
export function redirectTo(reply: FastifyReply, url: string, status: 302 | 303 = 302): FastifyReply {
  return reply
    .code(status)
    .headers({ location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send()
}
