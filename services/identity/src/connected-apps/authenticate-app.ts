import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashSecret } from '../crypto/secrets.ts'
import type { Db } from '../database.ts'
import { type ConnectedApp, findApp } from './connected-app.repository.ts'
import { OAuth2Error } from './oauth2-error.ts'
import type { Form } from './read-form.ts'

interface Shown {
  readonly clientId: string
  /** Null for a public app. */
  readonly secret: string | null
}

/**
 * Returns the app that sends a request: by `client_secret_basic` or `client_secret_post`, and a public one by its
 * `client_id` alone. Throws `invalid_client`, and `invalid_request` for two ways together.
 */
export async function authenticateApp(
  db: Db,
  request: Pick<FastifyRequest, 'headers'>,
  form: Form,
): Promise<ConnectedApp> {
  const shown = readCredentials(request.headers.authorization, form)
  const app = await findApp(db, shown.clientId)
  if (app === null || !hasSecret(app, shown.secret)) throw invalidClient()
  return app
}

function hasSecret({ secretHash }: ConnectedApp, secret: string | null): boolean {
  // A public app that sends a secret is not the one that was registered.
  if (secretHash === null || secret === null) return secretHash === null && secret === null
  return timingSafeEqual(hashSecret(secret), secretHash)
}

function readCredentials(authorization: string | undefined, form: Form): Shown {
  const { client_id: clientId, client_secret: secret } = form
  if (authorization === undefined) {
    if (clientId === undefined || clientId === '') throw invalidClient()
    return { clientId: storable(clientId), secret: secret ?? null }
  }
  const basic = readBasic(authorization)
  if (basic === null) throw invalidClient()
  if (secret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new OAuth2Error('invalid_request', { message: 'Send the credentials of the app in one way only.' })
  }
  return basic
}

function readBasic(authorization: string): Shown | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  if (encoded === undefined || encoded.length > 2_048) return null
  const [clientId = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    // Both parts are encoded like a form (RFC 6749, 2.3.1).
    return { clientId: storable(decode(clientId)), secret: decode(rest.join(':')) }
  } catch {
    return null
  }
}

function decode(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '))
}

/** The database stores no NUL, so no app has such an id. */
function storable(clientId: string): string {
  if (clientId.includes('\0')) throw invalidClient()
  return clientId
}

function invalidClient(): OAuth2Error {
  return new OAuth2Error('invalid_client', { headers: { 'www-authenticate': 'Basic realm="Lapwing"' } })
}
