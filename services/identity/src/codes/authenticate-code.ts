import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { enterByPhone } from '../phones/enter-by-phone.ts'
import { findPhone } from '../phones/phone.repository.ts'
import { findSession } from '../sessions/session.repository.ts'
import { emailFactor, type NewFactor, phoneFactor, startSession } from '../sessions/start-session.ts'
import { type EmailIntent, enterByEmail, lockAddressAndAccount } from '../users/enter-by-email.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { MAX_TRIES } from './code.repository.ts'
import type { CodeChannel } from './code-channel.ts'
import { hashCode } from './new-code.ts'

/** Signs in, or adds a mail address or a number, with a code of six digits. */
export function authenticateCode(deps: Deps): HandlerOf<'authenticateCode'> {
  const { db, change, readClient, answerSignIn, limits, cipher, settings, mailSender, now } = deps

  /**
   * Counts a try before the code is compared. Returns null if this client cannot use the code or has no
   * tries left.
   */
  async function countTry(methodId: string, client: Client) {
    const found = await db
      .selectFrom('code')
      .select('user_id')
      .where('method_id', '=', methodId)
      .executeTakeFirst()
    if (found === undefined || !(await canTry(found.user_id, client))) return null
    if (!(await limits.countCodeTry(methodId, client))) return null
    // Outside the change: the count stays if the sign-in fails.
    const counted = await db
      .updateTable('code')
      .set(eb => ({ tries: eb('tries', '+', 1) }))
      .where('method_id', '=', methodId)
      .where('tries', '<', MAX_TRIES)
      .returning(['code_hash', 'expires_at', 'used_at', 'address_key', 'channel', 'user_id'])
      .executeTakeFirst()
    return counted ?? null
  }

  /** Returns whether the client can try the code. A code that adds something only works for its requester. */
  async function canTry(addTo: string | null, { sessionToken }: Client): Promise<boolean> {
    if (addTo === null) return true
    const session = sessionToken === null ? null : await findSession(db, sessionToken, now())
    return session?.userId === addTo
  }

  /** Returns the account that the proved address or number opens, and the session's factor; null if none. */
  async function enter(
    work: Work,
    used: { readonly address: string; readonly address_key: string; readonly channel: CodeChannel },
    client: Client,
    intent: EmailIntent,
  ): Promise<{ readonly userId: string; readonly factor: NewFactor } | null> {
    if (used.channel === 'email') {
      const address = { address: used.address, key: used.address_key }
      const email = await enterByEmail(work, deps, address, client, intent)
      return email && { userId: email.userId, factor: emailFactor('otp', email) }
    }
    const phone = await enterByPhone(work, deps, used.address_key, client, intent)
    return phone && { userId: phone.userId, factor: phoneFactor(used.channel, phone) }
  }

  return async (request, reply) => {
    const client = readClient(request)
    const { token: code, method_id: methodId } = request.body
    await limits.countToken(client, sql`select from code where method_id = ${methodId}`)
    if (!/^\d{6}$/.test(code)) throw new IdentityError('invalid_code')
    const counted = await countTry(methodId, client)
    const shown = hashCode(cipher, methodId, code)
    if (counted === null || !timingSafeEqual(counted.code_hash, shown)) {
      throw new IdentityError('otp_code_not_found')
    }
    if (counted.used_at !== null || counted.expires_at <= now())
      throw new IdentityError('unable_to_auth_otp_code')
    const open = await change(async work => {
      await lockAddressAndAccount(
        work,
        counted.address_key,
        counted.user_id,
        counted.channel === 'email' ? findEmail : findPhone,
      )
      const used = await work.trx
        .updateTable('code')
        .set({ used_at: work.now })
        .where('method_id', '=', methodId)
        .where('code_hash', '=', counted.code_hash)
        .where('used_at', 'is', null)
        .returning(['address', 'address_key', 'channel', 'may_create', 'user_id'])
        .executeTakeFirst()
      const entered =
        used === undefined
          ? null
          : await enter(work, used, client, { mayCreate: used.may_create, addTo: used.user_id })
      if (entered === null) throw new IdentityError('unable_to_auth_otp_code')
      return startSession(work, {
        userId: entered.userId,
        factor: entered.factor,
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, { method_id: methodId })
  }
}
