import { randomInt } from 'node:crypto'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import { requireAddable } from '../users/require-addable.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'

type Ids = 'sendEmailCodeOrCreate' | 'sendEmailCode' | 'sendEmailCodeInSession'
type Body = Parameters<Handlers<operations>['sendEmailCode']>[0]['body']

interface Meaning {
  readonly mayCreate: boolean
  /** To whom the address is added, once the code was typed. */
  readonly addTo: string | null
}

type Choose = (work: Work, email: EmailAddress, caller: Client) => Promise<Meaning>

/** The three calls that mail a code of six digits. */
export function sendCodes(deps: Deps): Pick<Handlers<operations>, Ids> {
  const { client, limits, change, mailSender } = deps
  const handle = (choose: Choose) => async (request: { body: Body }) => {
    const caller = client(request as FastifyRequest)
    const email = readEmail(request.body.email)
    await limits.take('sendMail', caller)
    const minutes = readExpiration(request.body.expiration_minutes, { min: 1, max: 10, fallback: 5 })
    const methodId = await change(async work => {
      const meaning = await choose(work, email, caller)
      const owner = await findEmail(work.trx, email.key)
      const methodId = owner?.emailId ?? futureEmailId(deps, email)
      if (await limits.isFirst(work.trx, `mail code ${email.key}`, work.now)) {
        await sendCode(work, deps, email, methodId, meaning, minutes, owner !== null || meaning.mayCreate)
      }
      return methodId
    })
    mailSender.wake()
    return answer(request as FastifyRequest, { method_id: methodId })
  }
  return {
    sendEmailCodeOrCreate: handle(async () => ({ mayCreate: true, addTo: null })),
    sendEmailCode: handle(async () => ({ mayCreate: false, addTo: null })),
    sendEmailCodeInSession: handle(async (work, email, caller) => {
      const { userId } = await requireAddable(work, caller, email)
      return { mayCreate: true, addTo: userId }
    }),
  }
}

/**
 * The id an unknown address would get: always the same one, so that asking twice tells nothing, and
 * one that cannot be computed outside.
 */
function futureEmailId({ cipher }: Pick<Deps, 'cipher'>, email: EmailAddress): string {
  const hex = cipher.digest(email.key, 'email id').toString('hex')
  // The form of a UUID of version 4, like every other id.
  return `email-live-${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function sendCode(
  work: Work,
  { cipher, enqueueMail, settings }: Pick<Deps, 'cipher' | 'enqueueMail' | 'settings'>,
  email: EmailAddress,
  methodId: string,
  meaning: Meaning,
  minutes: number,
  opensSomething: boolean,
): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const fresh = {
    // A plain hash of six digits would be guessed from a copy of the table in a moment.
    code_hash: cipher.digest(`${methodId} ${code}`, 'code'),
    address: email.address,
    address_key: email.key,
    may_create: meaning.mayCreate,
    user_id: meaning.addTo,
    tries: 0,
    created_at: work.now,
    expires_at: new Date(work.now.getTime() + minutes * 60_000),
    used_at: null,
  }
  await work.trx
    .insertInto('code')
    .values({ method_id: methodId, ...fresh })
    .onConflict(conflict => conflict.column('method_id').doUpdateSet(fresh))
    .execute()
  if (opensSomething) await enqueueMail(work, 'code', email.address, { code, minutes }, minutes)
  else await enqueueMail(work, 'no_account', email.address, { url: settings.publicOrigin.href })
}
