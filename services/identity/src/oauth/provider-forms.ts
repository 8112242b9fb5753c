import type { FastifyInstance, FastifyReply } from 'fastify'
import { isAppForm, readAppForm } from '../connected-apps/read-form.ts'
import type { HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { REPLY_ROUTE } from '../texts/receive-reply.ts'
import { isJson } from './read-profile.ts'
import { redirectTo } from './redirect.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const CALLBACK_ROUTE = '/v1/public/oauth/:provider/callback'

/**
 * Accepts forms at the callback, from connected apps and from the messaging provider only, because any page of any
 * site can send one.
 */
export function acceptProviderForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: 32 * 1024 },
    (request, body, done) => {
      const { url } = request.routeOptions
      const form = new URLSearchParams(body)
      if (url === CALLBACK_ROUTE || url === REPLY_ROUTE) done(null, Object.fromEntries(form))
      else if (isAppForm(url)) readAppForm(form, done)
      else done(new IdentityError('unsupported_media_type'))
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
