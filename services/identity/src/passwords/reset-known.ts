import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { requireOwnSession, requireSession } from '../sessions/require-session.ts'
import { passwordFactor, startSession } from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { readUser } from '../users/user.ts'
import { checkPassword, lockPassword } from './check-password.ts'
import { setPassword } from './password.repository.ts'

/** Sets a new password with the old one. Counts as a sign-in, because it tries a password. */
export function resetPasswordByExisting(deps: Deps): HandlerOf<'resetPasswordByExisting'> {
  const { change, readClient, answerSignIn, limits, hasher, strength, settings, enqueueMail, mailSender } =
    deps
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
      await limits.clearSignIns(work.trx, { ...client, accountKey: email.key })
      await setPassword(work, credentials.userId, hash)
      await enqueueMail(work, 'password_changed', email.address, { url: settings.publicOrigin.href })
      return startSession(work, {
        userId: credentials.userId,
        factor: passwordFactor,
        minutes: body.session_duration_minutes,
        client,
        limits: settings,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }
}

/** Minutes after a sign-in in which a session alone can change the password. */
const FRESH_MINUTES = 5

/** Sets a new password from a session with a recent sign-in. */
export function resetPasswordBySession(deps: Deps): HandlerOf<'resetPasswordBySession'> {
  const { change, readClient, answerSignIn, limits, hasher, strength, settings, enqueueMail, mailSender } =
    deps
  return async (request, reply) => {
    const client = readClient(request)
    await limits.count('token', client)
    const { session, email } = await change(async work => {
      const session = await requireSession(work, client)
      const lastSignInMs = Math.max(
        ...session.factors.map(factor => Date.parse(factor.last_authenticated_at)),
      )
      if (work.now.getTime() - lastSignInMs > FRESH_MINUTES * 60_000) {
        throw new IdentityError('session_too_old_to_reset_password')
      }
      const user = await readUser(work.trx, session.userId)
      return { session, email: user?.emails[0]?.email }
    })
    // A password works only together with a mail address.
    if (email === undefined) throw new IdentityError('email_not_found')
    strength.require(request.body.password, email)
    const hash = await hasher.hash(request.body.password)
    const open = await change(async work => {
      // Checked again: the session can have ended during the hash.
      await requireOwnSession(work, client)
      await setPassword(work, session.userId, hash)
      await enqueueMail(work, 'password_changed', email, { url: settings.publicOrigin.href })
      return startSession(work, {
        userId: session.userId,
        factor: passwordFactor,
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }
}
