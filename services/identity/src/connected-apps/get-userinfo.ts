import { SessionTokenError } from '@lapwing/auth'
import type { FastifyRequest } from 'fastify'
import type { Deps, HandlerOf } from '../deps.ts'
import { readUser, type User } from '../users/user.ts'
import { verifyAccessToken } from './app-tokens.ts'
import { isAuthorizationActive } from './authorization.repository.ts'
import { OAuth2Error } from './oauth2-error.ts'

/** Returns the claims about a person that the scopes of an access token allow. */
export function getUserinfo(deps: Deps): HandlerOf<'getUserinfo'> {
  const { db, limits, now } = deps
  return async (request, reply) => {
    await limits.count('app', { ipAddress: request.ip })
    const { userId, authorizationId, scopes } = await readToken(request as FastifyRequest)
    if (!(await isAuthorizationActive(db, authorizationId, now()))) throw invalidToken()
    if (!scopes.includes('openid')) {
      throw new OAuth2Error('insufficient_scope', {
        headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' },
      })
    }
    const user = await readUser(db, userId)
    if (user === null) throw invalidToken()
    reply.header('cache-control', 'no-store')
    return claimsOf(user, scopes)
  }

  async function readToken({ headers }: FastifyRequest) {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) throw invalidToken()
    try {
      return await verifyAccessToken(deps, token)
    } catch (error) {
      if (error instanceof SessionTokenError) throw invalidToken()
      throw error
    }
  }
}

function claimsOf({ user_id, name, emails }: User, scopes: readonly string[]) {
  const { first_name, middle_name, last_name } = name
  const full = [first_name, middle_name, last_name].filter(part => part !== '').join(' ')
  // A proved address belongs to the person; an unproved one can have been typed by a stranger.
  const email = emails.find(({ verified }) => verified) ?? emails[0]
  return {
    sub: user_id,
    ...(scopes.includes('profile') && {
      ...(full !== '' && { name: full }),
      ...(first_name !== '' && { given_name: first_name }),
      ...(middle_name !== '' && { middle_name }),
      ...(last_name !== '' && { family_name: last_name }),
    }),
    ...(scopes.includes('email') &&
      email !== undefined && { email: email.email, email_verified: email.verified }),
  }
}

function invalidToken(): OAuth2Error {
  return new OAuth2Error('invalid_token', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}
