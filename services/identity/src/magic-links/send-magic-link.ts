import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import { addingTo } from '../mail/mail-request.ts'
import { readExpiration } from '../mail/read-expiration.ts'
import { type Link, sendLink } from '../mail/send-link.ts'
import { resolveRedirect } from '../redirects.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import { requireAddable } from '../users/require-addable.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'

type Ids = 'sendMagicLinkOrCreate' | 'sendMagicLink' | 'sendMagicLinkInSession'
type Body = Parameters<Handlers<operations>['sendMagicLink']>[0]['body']

/** Which mail an address gets, and what its token means. */
type Choose = (
  work: Work,
  email: EmailAddress,
  caller: Client,
) => Promise<Pick<Link, 'mail' | 'purpose' | 'userId' | 'data'>>

/** For anybody: a new address gets an account, once its owner has opened the link. */
const loginOrCreate: Choose = async (work, email) => {
  const owner = await findEmail(work.trx, email.key)
  return {
    mail: owner === null ? 'signup' : 'login',
    purpose: 'login_or_create',
    userId: owner?.userId ?? null,
    data: { may_create: true },
  }
}

/** For an address that has an account; another is told by mail that it has none. */
const loginOnly: Choose = async (work, email) => {
  const owner = await findEmail(work.trx, email.key)
  return { mail: owner === null ? 'no_account' : 'login', purpose: 'login', userId: owner?.userId ?? null }
}

/** For a signed-in person: adds the address, once the link is opened in a session of theirs. */
const addToSession: Choose = async (work, email, caller) => {
  const { userId } = await requireAddable(work, caller, email)
  return { mail: 'add_email', purpose: addingTo(userId), userId, data: { adds: true } }
}

/** The three calls that mail a link. Their answer never depends on whether the address is known. */
export function sendMagicLinks(deps: Deps): Pick<Handlers<operations>, Ids> {
  const handle = (choose: Choose) => async (request: { body: Body }) => {
    const caller = deps.client(request as FastifyRequest)
    const email = readEmail(request.body.email)
    await deps.limits.take('sendMail', caller)
    const to = (kind: 'login' | 'signup') => readTarget(deps, request.body, kind)
    const targets = { login: to('login'), signup: to('signup') }
    await deps.change(async work => {
      const chosen = await choose(work, email, caller)
      await sendLink(work, deps, {
        ...chosen,
        ...targets[chosen.mail === 'signup' ? 'signup' : 'login'],
        tokenKind: 'magic_links',
        to: email,
        codeChallenge: request.body.code_challenge,
      })
    })
    deps.mailSender.wake()
    return answer(request as FastifyRequest, {})
  }
  return {
    sendMagicLinkOrCreate: handle(loginOrCreate),
    sendMagicLink: handle(loginOnly),
    sendMagicLinkInSession: handle(addToSession),
  }
}

function readTarget({ settings }: Pick<Deps, 'settings'>, body: Body, kind: 'login' | 'signup') {
  return {
    redirect: resolveRedirect(
      settings.redirects,
      kind,
      body[`${kind}_magic_link_url`],
      'no_match_for_provided_magic_link_url',
    ),
    minutes: readExpiration(body[`${kind}_expiration_minutes`], { min: 5, max: 10_080, fallback: 30 }),
  }
}
