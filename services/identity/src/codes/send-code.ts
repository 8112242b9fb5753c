import { randomInt } from 'node:crypto'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { FastifyRequest } from 'fastify'
import { newId } from '../crypto/secrets.ts'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import { addingTo, countMail, lockRequest, type MailRequest, type Purpose } from '../mail/mail-request.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import { requireAddable } from '../users/require-addable.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { findLiveCode, insertCode } from './code.repository.ts'

type Ids = 'sendEmailCodeOrCreate' | 'sendEmailCode' | 'sendEmailCodeInSession'
type Body = Parameters<Handlers<operations>['sendEmailCode']>[0]['body']

interface CodeIntent {
  readonly purpose: Purpose
  readonly mayCreate: boolean
  /** User id of the signed-in person who adds the address; null for a sign-in. */
  readonly addTo: string | null
}

type ChooseIntent = (work: Work, email: EmailAddress, caller: Client) => Promise<CodeIntent>

/** Creates the handlers of the three calls that mail a code of six digits. */
export function sendCodes(deps: Deps): Pick<Handlers<operations>, Ids> {
  const { client, limits, change, mailSender } = deps
  const handle = (chooseIntent: ChooseIntent) => async (request: { body: Body }) => {
    const caller = client(request as FastifyRequest)
    const email = readEmail(request.body.email)
    await limits.count('sendMail', caller)
    const minutes = readExpiration(request.body.expiration_minutes, { min: 1, max: 10, fallback: 5 })
    const methodId = await change(async work =>
      requestCode(work, deps, email, await chooseIntent(work, email, caller), minutes),
    )
    mailSender.wake()
    return answer(request as FastifyRequest, { method_id: methodId })
  }
  return {
    sendEmailCodeOrCreate: handle(async () => ({
      purpose: 'login_or_create',
      mayCreate: true,
      addTo: null,
    })),
    sendEmailCode: handle(async () => ({ purpose: 'login', mayCreate: false, addTo: null })),
    sendEmailCodeInSession: handle(async (work, email, caller) => {
      const { userId } = await requireAddable(work, caller, email)
      return { purpose: addingTo(userId), mayCreate: false, addTo: userId }
    }),
  }
}

/**
 * Mails a code, unless the last one of this purpose is recent enough to answer the request.
 *
 * @returns the id that identifies the code. It is random, so it does not reveal whether an account exists.
 */
async function requestCode(
  work: Work,
  deps: Pick<Deps, 'cipher' | 'enqueueMail' | 'settings' | 'limits'>,
  email: EmailAddress,
  intent: CodeIntent,
  minutes: number,
): Promise<string> {
  const request: MailRequest = { what: 'code', purpose: intent.purpose, to: email }
  await lockRequest(work, request)
  const live = await findLiveCode(work, email.key, intent.purpose)
  if (live?.isRecent) return live.methodId
  const methodId = newId('email')
  // After too many mails the last code remains usable.
  if (!(await countMail(work, deps.limits, request))) return live?.methodId ?? methodId
  const owner = await findEmail(work.trx, email.key)
  await sendCode(work, deps, { email, methodId, intent, minutes, isKnown: owner !== null })
  return methodId
}

interface NewCode {
  readonly email: EmailAddress
  readonly methodId: string
  readonly intent: CodeIntent
  readonly minutes: number
  /** Whether an account has the address. */
  readonly isKnown: boolean
}

async function sendCode(
  work: Work,
  { cipher, enqueueMail, settings }: Pick<Deps, 'cipher' | 'enqueueMail' | 'settings'>,
  { email, methodId, intent, minutes, isKnown }: NewCode,
): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await insertCode(work, {
    methodId,
    // A plain hash of six digits could be guessed from a copy of the table.
    hash: cipher.digest(`${methodId} ${code}`, 'code'),
    email,
    ...intent,
    minutes,
  })
  if (intent.addTo !== null) await enqueueMail(work, 'add_code', email.address, { code, minutes }, minutes)
  else if (isKnown || intent.mayCreate)
    await enqueueMail(work, 'code', email.address, { code, minutes }, minutes)
  else await enqueueMail(work, 'no_account', email.address, { url: settings.publicOrigin.href })
}
