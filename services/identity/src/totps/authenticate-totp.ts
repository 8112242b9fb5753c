import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { HOUR_MS } from '../limits/counter.ts'
import { forgetOrigins } from '../limits/known-origins.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { readSession, requireOwnSession } from '../sessions/require-session.ts'
import { requireFirstFactor } from '../sessions/second-factor.ts'
import { endSessionsOf, type Session } from '../sessions/session.repository.ts'
import { type NewFactor, type OpenSession, startSession } from '../sessions/start-session.ts'
import type { Work } from '../work.ts'
import { digestRecoveryCode } from './recovery-code.ts'
import { acceptRecoveryCode, acceptStep, lockTotp } from './totp.repository.ts'
import { findStep } from './totp-secret.ts'

/**
 * Adds a code of the authenticator app to the session. The first one confirms a new app. It also ends every
 * other session and forgets every browser and network: none of them has shown the second factor.
 */
export function authenticateTotp(deps: Deps): HandlerOf<'authenticateTotp'> {
  const { readClient, answerSignIn, cipher } = deps
  const addFactor = addSecondFactor(deps)
  return async (request, reply) => {
    const client = readClient(request)
    const { totp_code: code, session_duration_minutes: minutes } = request.body
    const { open, totpId } = await addFactor(client, minutes, isSixDigits(code), async (work, session) => {
      const totp = await lockTotp(work.trx, session.userId)
      if (!totp?.verified) await requireFirstFactor(work, session)
      const isUsable = totp !== null && (totp.verified || totp.expiresAt > work.now)
      const step = isUsable ? findStep(cipher, totp, code, work.now) : null
      if (totp === null || step === null) throw new IdentityError('unable_to_authenticate_totp')
      // A step never counts twice, so that nobody can repeat a code that they saw.
      if (step <= (totp.lastStep ?? 0)) throw new IdentityError('totp_code_already_authenticated')
      await acceptStep(work.trx, session.userId, totp, step)
      if (!totp.verified) {
        await endSessionsOf(work, session.userId, session.sessionId)
        // A thief who had the password before would otherwise guess codes with the limits of a known browser.
        await forgetOrigins(work.trx, session.userId)
        await notifyOfWay(work, deps, session.userId, 'totp_added')
      }
      return {
        totpId: totp.totpId,
        factor: {
          type: 'totp',
          delivery_method: 'authenticator_app',
          authenticator_app_factor: { totp_id: totp.totpId },
        },
      }
    })
    return answerSignIn(request, reply, open, { totp_id: totpId })
  }
}

/** Adds a recovery code to the session, which counts as a code of the authenticator app. It works once. */
export function recoverTotp(deps: Deps): HandlerOf<'recoverTotp'> {
  const { readClient, answerSignIn, cipher } = deps
  const addFactor = addSecondFactor(deps)
  return async (request, reply) => {
    const client = readClient(request)
    const { recovery_code: code, session_duration_minutes: minutes } = request.body
    const { open, totpId } = await addFactor(client, minutes, true, async (work, session) => {
      const totp = await lockTotp(work.trx, session.userId)
      const codeId = totp?.verified
        ? await acceptRecoveryCode(work, totp.totpId, digestRecoveryCode(cipher, totp.totpId, code))
        : null
      if (totp === null || codeId === null) throw new IdentityError('unable_to_authenticate_recovery_code')
      await notifyOfWay(work, deps, session.userId, 'recovery_code_used')
      return {
        totpId: totp.totpId,
        factor: {
          type: 'recovery_codes',
          delivery_method: 'recovery_code',
          recovery_code_factor: { totp_recovery_code_id: codeId },
        },
      }
    })
    return answerSignIn(request, reply, open, { totp_id: totpId })
  }
}

/** Checks and uses up a code of the session's person. Throws the error for one that does not count. */
type UseCode = (
  work: Work,
  session: Session,
) => Promise<{ readonly totpId: string; readonly factor: NewFactor }>

/** Creates the part that both codes share: counting the try, and the session with the new factor. */
function addSecondFactor(deps: Deps) {
  const { db, change, limits, origins, settings, now, mailSender } = deps

  /** Mails the owner of an app, once an hour, that codes are being guessed: the guesser has the first factor. */
  async function notifyOfGuesses(userId: string): Promise<void> {
    await change(async work => {
      const person = await work.trx
        .selectFrom('person')
        .select('has_totp')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (!person?.has_totp) return
      if (!(await limits.isFirst(work.trx, `notice codes_guessed ${userId}`, work.now, HOUR_MS))) return
      await notifyOfWay(work, deps, userId, 'codes_guessed')
    })
    mailSender.wake()
  }

  return async (
    client: Client,
    minutes: number | undefined,
    isWellFormed: boolean,
    useCode: UseCode,
  ): Promise<{ readonly open: OpenSession; readonly totpId: string }> => {
    const { userId } = await readSession(db, client, now())
    if (!isWellFormed) throw new IdentityError('invalid_code')
    // Outside the change: the count stays if the code is wrong.
    try {
      await limits.countSecondFactor(userId, client, origins.selectOf(client, userId))
    } catch (error) {
      if (error instanceof IdentityError) await notifyOfGuesses(userId)
      throw error
    }
    const added = await change(async work => {
      const session = await requireOwnSession(work, client)
      const { totpId, factor } = await useCode(work, session)
      await limits.clearSecondFactor(work.trx, userId, client)
      const open = await startSession(work, {
        userId,
        factor,
        minutes,
        client,
        limits: settings,
        isStepUp: true,
      })
      return { open, totpId }
    })
    mailSender.wake()
    return added
  }
}

function isSixDigits(code: string): boolean {
  return /^\d{6}$/.test(code)
}
