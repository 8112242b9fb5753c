import type { FastifyRequest } from 'fastify'
import { IdentityError } from '../errors.ts'
import { OAuth2Error } from './oauth2-error.ts'

/** The parameters of a form; every value is text. */
export type Form = Readonly<Record<string, string>>

const FORM_ROUTES: ReadonlySet<string> = new Set(['/oauth2/token', '/oauth2/revoke'])

export function isAppForm(url: string | undefined): boolean {
  return url !== undefined && FORM_ROUTES.has(url)
}

/** Reads a form of an app. A parameter that is sent twice could be read in two ways, so it is refused. */
export function readAppForm(form: URLSearchParams, done: (error: Error | null, body?: Form) => void): void {
  const isTwice = new Set(form.keys()).size < form.size
  if (isTwice) done(new OAuth2Error('invalid_request', { message: 'A parameter was sent twice.' }))
  else done(null, Object.fromEntries(form))
}

/** Returns the form of a request. Throws for another type of body, which OAuth does not allow. */
export function formOf(request: Pick<FastifyRequest, 'body' | 'headers'>): Form {
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return request.body as Form
  }
  throw new IdentityError('unsupported_media_type', { message: 'Send a form.' })
}

/** Returns a parameter; throws `invalid_request` if it is missing, empty or longer than any valid one. */
export function required(form: Form, name: string): string {
  const value = form[name]
  if (value !== undefined && value !== '' && value.length <= MAX_LENGTH) return value
  throw new OAuth2Error('invalid_request', { message: `${name} is missing or too long.` })
}

/** Long enough for an access token. */
const MAX_LENGTH = 8_192
