import { type RawBuilder, sql } from 'kysely'
import { hashSecret } from '../crypto/secrets.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { KnownOrigin } from '../limits/limits.ts'
import { requireRecentSignIn } from '../sessions/recent-sign-in.ts'
import { requireOwnSession, requireSession } from '../sessions/require-session.ts'
import { requireApp, secondFactorsOf } from '../sessions/second-factor.ts'
import { lockSession } from '../sessions/session.repository.ts'
import { passwordFactor, startSession } from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { readUser } from '../users/user.ts'
import { checkPassword, lockPassword } from './check-password.ts'
import { countUnprovedChange, notifyOfChange, setPassword } from './password.repository.ts'

/**
 * Sets a new password with the old one. Counts as a sign-in, because it tries a password. With an
 * authenticator app its code must be in the session, so that a stolen password locks nobody out.
 */
export function resetPasswordByExisting(deps: Deps): HandlerOf<'resetPasswordByExisting'> {
  const { change, readClient, answerSignIn, limits, hasher, strength, settings, mailSender } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const { body } = request
    const email = readEmail(body.email)
    const credentials = await checkPassword(deps, client, email.key, body.existing_password)
    strength.require(body.new_password, email.address)
    const hash = await hasher.hash(body.new_password)
    const open = await change(async work => {
      if (!(await lockActiveUser(work.trx, credentials.userId))) {
        throw new IdentityError('unauthorized_credentials')
      }
      await lockPassword(work, credentials)
      await countUnprovedChange(work, limits, credentials.userId)
      await limits.clearSignIns(work.trx, { ...client, accountKey: email.key })
      const { userId } = credentials
      const held = client.sessionToken === null ? null : await lockSession(work, client.sessionToken)
      const session = held?.userId === userId ? held : null
      await requireApp(work, { userId, factors: session?.factors ?? [] })
      await setPassword(work, userId, hash)
      await notifyOfChange(work, deps, email.address)
      return startSession(work, {
        userId,
        factor: passwordFactor,
        minutes: body.session_duration_minutes,
        client,
        limits: settings,
        carried: secondFactorsOf(session?.factors ?? []),
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }
}

/** Sets a new password from a session with a recent sign-in. */
export function resetPasswordBySession(deps: Deps): HandlerOf<'resetPasswordBySession'> {
  const { change, readClient, answerSignIn, limits, hasher, strength, settings, mailSender } = deps
  return async (request, reply) => {
    const client = readClient(request)
    // Counted with the sign-ins, because each costs a hash.
    await limits.countFor('signIn', client, knownBySession(deps, client))
    const { session, email } = await change(async work => {
      const session = await requireSession(work, client)
      await requireApp(work, session)
      requireRecentSignIn(session, work.now, 'session_too_old_to_reset_password')
      const user = await readUser(work.trx, session.userId)
      return { session, email: user?.emails[0]?.email }
    })
    // A password works only together with a mail address.
    if (email === undefined) throw new IdentityError('email_not_found')
    strength.require(request.body.password, email)
    const hash = await hasher.hash(request.body.password)
    const open = await change(async work => {
      // Checked again: the session can have ended during the hash.
      const { factors } = await requireOwnSession(work, client)
      await countUnprovedChange(work, limits, session.userId)
      await setPassword(work, session.userId, hash)
      await notifyOfChange(work, deps, email)
      return startSession(work, {
        userId: session.userId,
        factor: passwordFactor,
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
        carried: secondFactorsOf(factors),
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }
}

/** Selects whether the account of the client's session knows the origin; no row without a session. */
function knownBySession(
  { origins, now }: Pick<Deps, 'origins' | 'now'>,
  client: Client,
): RawBuilder<KnownOrigin> {
  return sql`select ${origins.select(client, sql.ref('session.user_id'))} from session
    where token_hash = ${hashSecret(client.sessionToken ?? '')} and expires_at > ${now()}`
}
