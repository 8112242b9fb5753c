import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import type { Requester } from '../limits/mail-limits.ts'
import {
  addingTo,
  countMail,
  lockRequest,
  type MailRequest,
  type Purpose,
  RESEND_MS,
} from '../mail/mail-request.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import type { EmailIntent } from '../users/enter-by-email.ts'
import { requireAddable } from '../users/require-addable.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { findLiveCode, insertCode } from './code.repository.ts'
import { newCode } from './new-code.ts'

interface CodeIntent extends EmailIntent {
  readonly purpose: Purpose
}

type ChooseIntent = (work: Work, email: EmailAddress, client: Client) => Promise<CodeIntent>

/** Creates the handlers of the three calls that mail a code of six digits. */
export function sendCodes(deps: Deps) {
  const { readClient, limits, origins, change, mailSender } = deps
  const handle =
    (chooseIntent: ChooseIntent): HandlerOf<'sendEmailCode'> =>
    async request => {
      const client = readClient(request)
      const email = readEmail(request.body.email)
      const requester = await limits.countMailRequest(client, origins.selectFor(client, email.key))
      const minutes = readExpiration(request.body.expiration_minutes, { min: 1, max: 10, fallback: 5 })
      const methodId = await change(async work =>
        requestCode(work, deps, email, {
          intent: await chooseIntent(work, email, client),
          requestedBy: requester,
          client,
          minutes,
        }),
      )
      mailSender.wake()
      return answer(request, { method_id: methodId })
    }
  return {
    sendEmailCodeOrCreate: handle(async () => ({
      purpose: 'login_or_create',
      mayCreate: true,
      addTo: null,
    })),
    sendEmailCode: handle(async () => ({ purpose: 'login', mayCreate: false, addTo: null })),
    sendEmailCodeInSession: handle(async (work, email, client) => {
      const { userId } = await requireAddable(work, client, email)
      return { purpose: addingTo(userId), mayCreate: false, addTo: userId }
    }),
  }
}

interface CodeRequest {
  readonly intent: CodeIntent
  readonly requestedBy: Requester
  readonly client: Client
  readonly minutes: number
}

/**
 * Mails a code, unless the last one of this purpose and requester is recent enough to answer the request and
 * can still be tried from the requester's network.
 *
 * @returns the id that identifies the code. It is random, so it does not reveal whether an account exists.
 *   Only the requester of a code gets its id, so that strangers cannot use up its tries.
 */
async function requestCode(
  work: Work,
  { cipher, enqueueMail, settings, limits }: Deps,
  email: EmailAddress,
  { intent, requestedBy, client, minutes }: CodeRequest,
): Promise<string> {
  const request: MailRequest = { what: 'code', purpose: intent.purpose, to: email, requester: requestedBy }
  await lockRequest(work, request)
  const requester = cipher.digest(requestedBy.key, 'requester')
  const live = await findLiveCode(work, {
    channel: 'email',
    addressKey: email.key,
    purpose: intent.purpose,
    requester,
    recentMs: RESEND_MS,
  })
  if (live?.isRecent && (await limits.hasCodeTry(work.trx, live.methodId, client, work.now)))
    return live.methodId
  const { methodId, code, hash } = newCode(cipher, 'email')
  // After too many mails the last code remains usable.
  if (!(await countMail(work, limits, request))) return live?.methodId ?? methodId
  const isKnown = (await findEmail(work.trx, email.key)) !== null
  await insertCode(work, { channel: 'email', methodId, hash, to: email, ...intent, requester, minutes })
  if (intent.addTo !== null) await enqueueMail(work, 'add_code', email.address, { code, minutes }, minutes)
  else if (isKnown || intent.mayCreate)
    await enqueueMail(work, 'code', email.address, { code, minutes }, minutes)
  else await enqueueMail(work, 'no_account', email.address, { url: settings.publicOrigin.href })
  return methodId
}
