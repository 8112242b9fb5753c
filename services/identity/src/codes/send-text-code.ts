import { sql } from 'kysely'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import type { Requester } from '../limits/mail-limits.ts'
import { addingTo, type Purpose } from '../mail/mail-request.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { findPhone, requireRoomForPhone } from '../phones/phone.repository.ts'
import { readPhone } from '../phones/phone-number.ts'
import type { TextChannel } from '../texts/config.ts'
import { boundTo, texts } from '../texts/texts.ts'
import type { EmailIntent } from '../users/enter-by-email.ts'
import { requireAddable } from '../users/require-addable.ts'
import type { Work } from '../work.ts'
import { findLiveCode, insertCode } from './code.repository.ts'
import { newCode } from './new-code.ts'

interface CodeIntent extends EmailIntent {
  readonly purpose: Purpose
}

type ChooseIntent = (work: Work, number: string, client: Client) => Promise<CodeIntent>

/** Creates the handlers of the six calls that text a code of six digits, by SMS or WhatsApp. */
export function sendTextCodes(deps: Deps) {
  const { settings, readClient, limits, origins, change, textSender } = deps
  const handle =
    (channel: TextChannel, chooseIntent: ChooseIntent): HandlerOf<'sendSmsCode'> =>
    async request => {
      const client = readClient(request)
      if (settings.texts.provider?.senders[channel] === undefined) {
        throw new IdentityError('endpoint_not_authorized_for_sdk')
      }
      const { phone_number, expiration_minutes, enable_autofill = false } = request.body
      const number = readPhone(phone_number, settings.texts.countries)
      const requester = await limits.countTextRequest(client, origins.selectForPhone(client, number))
      const minutes = readExpiration(expiration_minutes, { min: 1, max: 10, fallback: 5 })
      const methodId = await change(async work =>
        requestCode(work, deps, number, {
          channel,
          intent: await chooseIntent(work, number, client),
          requestedBy: requester,
          minutes,
          isForAutofill: channel === 'sms' && enable_autofill,
        }),
      )
      textSender.wake()
      return answer(request, { method_id: methodId })
    }

  const createOrSignIn: ChooseIntent = async () => ({
    purpose: 'login_or_create',
    mayCreate: true,
    addTo: null,
  })
  const signIn: ChooseIntent = async () => ({ purpose: 'login', mayCreate: false, addTo: null })
  const add: ChooseIntent = async (work, number, client) => {
    const { userId } = await requireAddable(work, client, { key: number })
    await requireRoomForPhone(work.trx, userId, number)
    return { purpose: addingTo(userId), mayCreate: false, addTo: userId }
  }

  return {
    sendSmsCodeOrCreate: handle('sms', createOrSignIn),
    sendSmsCode: handle('sms', signIn),
    sendSmsCodeInSession: handle('sms', add),
    sendWhatsappCodeOrCreate: handle('whatsapp', createOrSignIn),
    sendWhatsappCode: handle('whatsapp', signIn),
    sendWhatsappCodeInSession: handle('whatsapp', add),
  }
}

interface CodeRequest {
  readonly channel: TextChannel
  readonly intent: CodeIntent
  readonly requestedBy: Requester
  readonly minutes: number
  readonly isForAutofill: boolean
}

/**
 * Texts a code, unless the last one of this channel, purpose and requester is recent enough to answer the
 * request. Throws `unsubscribed_phone_number`, and `too_many_requests` above the limits that are the same for
 * every number. Above the limits of the number a signed-in person gets `too_many_requests`, too. Anybody else
 * gets an id and no text, like for a mail.
 *
 * @returns the id that identifies the code. It is random, so it does not reveal whether an account exists.
 */
async function requestCode(
  work: Work,
  { cipher, enqueueText, settings, limits, refusals }: Deps,
  number: string,
  { channel, intent, requestedBy, minutes, isForAutofill }: CodeRequest,
): Promise<string> {
  await lockNumber(work, number)
  await refusals.require(work.trx, channel, number, work.now)
  const requester = cipher.digest(requestedBy.key, 'requester')
  const { purpose, addTo, mayCreate } = intent
  const live = await findLiveCode(work, {
    channel,
    addressKey: number,
    purpose,
    requester,
    recentMs: settings.texts.limits.intervalMs,
  })
  if (live?.isRecent) return live.methodId
  // Adding has an answer of its own above the limit, which must not reveal whose network this is.
  const counted = addTo === null ? requestedBy : { ...requestedBy, isKnown: false }
  const waitS = await limits.countText(work.trx, { number, requester: counted }, work.now)
  if (waitS !== null && addTo !== null) throw new IdentityError('too_many_requests', { retryAfterS: waitS })
  const { methodId, code, hash } = newCode(cipher, 'phone-number')
  if (waitS !== null) return live?.methodId ?? methodId
  const isKnown = (await findPhone(work.trx, number)) !== null
  await insertCode(work, {
    channel,
    methodId,
    hash,
    to: { address: number, key: number },
    ...intent,
    requester,
    minutes,
  })
  const kind = addTo !== null ? 'add_code' : isKnown || mayCreate ? 'code' : 'no_account'
  const line = isForAutofill && kind !== 'no_account' ? boundTo(settings.publicOrigin.hostname, code) : ''
  const text = {
    channel,
    to: number,
    words: texts[kind]({ code, minutes }) + line,
    code: kind === 'no_account' ? null : code,
  }
  await enqueueText(work, kind, text, minutes)
  return methodId
}

/** Locks requests for the same number until the change is over, so that they run one after another. */
async function lockNumber({ trx }: Work, number: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`text ${number}`}, 0))`.execute(trx)
}
