import type { FastifyInstance, FastifyReply } from 'fastify'
import type { HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { isJson } from './read-profile.ts'
import { redirectTo } from './redirect.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const CALLBACK_ROUTE = '/v1/public/oauth/:provider/callback'

/** Accepts forms at the callback only, because any page of any site can send one. */
export function acceptProviderForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: 32 * 1024 },
    (request, body, done) => {
      if (request.routeOptions.url !== CALLBACK_ROUTE) done(new IdentityError('unsupported_media_type'))
      else done(null, Object.fromEntries(new URLSearchParams(body)))
    },
  )
}

/**
 * Redirects Apple's answer, a form that its page posts here, to the same address as a GET. Browsers do
 * not send our cookie with the form, but do with the GET.
 */
export function finishOAuthForm(): HandlerOf<'finishOAuthForm'> {
  return async (request, reply): Promise<FastifyReply> => {
    const form = isJson(request.body) ? request.body : {}
    const query = new URLSearchParams()
    for (const name of ['code', 'state', 'error']) {
      const value = form[name]
      if (typeof value === 'string') query.set(name, value.slice(0, 4_096))
    }
    // Relative, so that it works behind any public address.
    return redirectTo(reply, `?${query}`, 303)
  }
}
