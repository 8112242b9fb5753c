import { isUniqueViolation } from '@lapwing/db'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { passwordFactor, startSession } from '../sessions/start-session.ts'
import { readEmail } from '../users/email-address.ts'
import { addEmail, createUser } from '../users/user.repository.ts'
import { writePassword } from './password.repository.ts'

/**
 * Signs a person up. Throws `duplicate_email` for a taken address, as the protocol requires: only a new
 * account gets a session, so the answers differ anyway. The work is the same, tries have a rate limit,
 * and a mail notifies the address's owner.
 */
export function createPassword(deps: Deps): HandlerOf<'createPassword'> {
  const { change, readClient, answerSignIn, limits, hasher, strength, settings, enqueueMail, mailSender } =
    deps
  return async (request, reply) => {
    const client = readClient(request)
    const email = readEmail(request.body.email)
    await limits.count('signUp', client)
    strength.require(request.body.password, email.address)
    const hash = await hasher.hash(request.body.password)
    try {
      const { open, emailId } = await change(async work => {
        const userId = await createUser(work, limits, client)
        const { emailId } = await addEmail(work, userId, email, { verified: false })
        await writePassword(work, userId, hash)
        const open = await startSession(work, {
          userId,
          factor: passwordFactor,
          minutes: request.body.session_duration_minutes,
          client,
          limits: settings,
        })
        return { open, emailId }
      })
      return await answerSignIn(request, reply, open, { email_id: emailId })
    } catch (error) {
      if (!isUniqueViolation(error, 'email_address_key')) throw error
    }
    await change(async work => {
      const isFirst = await limits.isFirst(work.trx, `mail already_registered ${email.key}`, work.now)
      if (isFirst && (await limits.countNotice(work.trx, 'already_registered', email.key, work.now))) {
        await enqueueMail(work, 'already_registered', email.address, { url: settings.publicOrigin.href })
      }
    })
    mailSender.wake()
    throw new IdentityError('duplicate_email')
  }
}
