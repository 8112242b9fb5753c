import { timingSafeEqual } from 'node:crypto'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { startSession } from '../sessions/start-session.ts'
import { enterByEmail } from '../users/enter-by-email.ts'

/** Tries one code is good for: with a new code a minute at most, guessing it would take years. */
const maxTries = 5

/** Signs in with a code of six digits. */
export function authenticateCode({
  db,
  change,
  client,
  answerSession,
  limits,
  cipher,
  settings,
  now,
}: Deps): Handlers<operations>['authenticateCode'] {
  return async (request, reply) => {
    const caller = client(request)
    const { token: code, method_id: methodId } = request.body
    await limits.take('token', caller)
    if (!/^\d{6}$/.test(code)) throw new IdentityError('invalid_code')
    // Counted before it is compared, and kept whatever comes of it.
    const tried = await db
      .updateTable('code')
      .set(eb => ({ tries: eb('tries', '+', 1) }))
      .where('method_id', '=', methodId)
      .where('tries', '<', maxTries)
      .returning(['code_hash', 'expires_at', 'used_at'])
      .executeTakeFirst()
    const shown = cipher.digest(`${methodId} ${code}`, 'code')
    if (tried === undefined || !timingSafeEqual(tried.code_hash, shown)) {
      throw new IdentityError('otp_code_not_found')
    }
    if (tried.used_at !== null || tried.expires_at <= now())
      throw new IdentityError('unable_to_auth_otp_code')
    const open = await change(async work => {
      const used = await work.trx
        .updateTable('code')
        .set({ used_at: work.now })
        .where('method_id', '=', methodId)
        .where('code_hash', '=', tried.code_hash)
        .where('used_at', 'is', null)
        .returning(['address', 'address_key', 'may_create', 'user_id'])
        .executeTakeFirst()
      const entered =
        used === undefined
          ? null
          : await enterByEmail(work, { address: used.address, key: used.address_key }, caller, {
              mayCreate: used.may_create,
              addTo: used.user_id,
              emailId: methodId,
            })
      if (entered === null) throw new IdentityError('unable_to_auth_otp_code')
      return startSession(work, {
        userId: entered.userId,
        factor: {
          type: 'otp',
          delivery_method: 'email',
          email_factor: { email_id: entered.emailId, email_address: entered.address },
        },
        minutes: request.body.session_duration_minutes,
        client: caller,
        limits: settings,
      })
    })
    return answerSession(request, reply, open, { method_id: methodId })
  }
}
