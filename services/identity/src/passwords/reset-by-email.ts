import { sql } from 'kysely'
import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { KnownOrigin } from '../limits/limits.ts'
import { readLinkExpiration } from '../mail/read-expiration.ts'
import { sendLink } from '../mail/send-link.ts'
import { resolveRedirect } from '../redirects.ts'
import { emailFactor, startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, tokenError, useToken } from '../tokens/token.ts'
import { readEmail } from '../users/email-address.ts'
import { findEmail, lockActiveUser, verifyEmail } from '../users/user.repository.ts'
import { notifyOfChange, setPassword } from './password.repository.ts'

/** Mails a reset link. Neither the answer nor its duration reveals whether an account has the address. */
export function startPasswordReset(deps: Deps): HandlerOf<'startPasswordReset'> {
  const { change, readClient, limits, origins, settings, mailSender } = deps
  return async request => {
    const client = readClient(request)
    const { body } = request
    const email = readEmail(body.email)
    const requester = await limits.countMailRequest(client, origins.selectFor(client, email.key))
    const resolve = (kind: 'reset' | 'login', asked: string | undefined) =>
      resolveRedirect(settings.redirects, kind, asked, 'no_match_for_provided_password_reset_url')
    const redirect = resolve('reset', body.reset_password_redirect_url)
    const loginRedirect = body.login_redirect_url ? resolve('login', body.login_redirect_url) : null
    const minutes = readLinkExpiration(body.reset_password_expiration_minutes)
    await change(async work => {
      const owner = await findEmail(work.trx, email.key)
      await sendLink(work, deps, {
        mail: owner === null ? 'no_account' : 'reset_password',
        tokenKind: 'reset_password',
        purpose: 'reset',
        requester,
        userId: owner?.userId ?? null,
        to: { address: owner?.address ?? email.address, key: email.key },
        redirect,
        loginRedirect,
        codeChallenge: body.code_challenge,
        minutes,
      })
    })
    mailSender.wake()
    return answer(request, {})
  }
}

/** Sets the new password with the token of the link, and signs in. */
export function resetPasswordByEmail(deps: Deps): HandlerOf<'resetPasswordByEmail'> {
  const { db, change, readClient, answerSignIn, limits, origins, hasher, strength, settings } = deps
  const { mailSender, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const { token: secret, password, code_verifier: codeVerifier } = request.body
    // Counted with the sign-ins, because each costs a hash.
    const known = origins.select(client, sql.ref('token.user_id'))
    await limits.countFor(
      'signIn',
      client,
      existingToken<KnownOrigin>('reset_password', secret, now(), known),
    )
    // The token is checked before the hash, so that a wrong link costs no hash. It is used up only with
    // the change, so that a weak password does not cost the link.
    const token = await findToken(db, 'reset_password', secret, codeVerifier, now())
    strength.require(password, token.address ?? undefined)
    const hash = await hasher.hash(password)
    const open = await change(async work => {
      // Every change locks the person first and the token second, so that no two deadlock.
      if (token.userId === null || !(await lockActiveUser(work.trx, token.userId))) {
        throw tokenError('reset_password')
      }
      const { userId, addressKey } = await useToken(work, 'reset_password', secret, codeVerifier)
      const email = addressKey === null ? null : await findEmail(work.trx, addressKey)
      const isTheirs = userId !== null && email?.userId === userId
      if (!isTheirs) throw tokenError('reset_password')
      await verifyEmail(work, deps, email)
      await setPassword(work, userId, hash)
      await limits.clearSignIns(work.trx, { ...client, accountKey: addressKey! })
      await notifyOfChange(work, deps, email.address)
      return startSession(work, {
        userId,
        factor: emailFactor('magic_link', email),
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }
}
