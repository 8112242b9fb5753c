import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import { addingTo } from '../mail/mail-request.ts'
import { readLinkExpiration } from '../mail/read-expiration.ts'
import { type Link, sendLink } from '../mail/send-link.ts'
import { resolveRedirect } from '../redirects.ts'
import { type EmailAddress, readEmail } from '../users/email-address.ts'
import { requireAddable } from '../users/require-addable.ts'
import { findEmail } from '../users/user.repository.ts'
import type { Work } from '../work.ts'

type Body = Parameters<HandlerOf<'sendMagicLink'>>[0]['body']

/** Decides which mail an address gets, and what its token is for. */
type ChooseLink = (
  work: Work,
  email: EmailAddress,
  client: Client,
) => Promise<Pick<Link, 'mail' | 'purpose' | 'userId' | 'data'>>

/** Signs in. Creates an account for a new address when its owner opens the link. */
const loginOrCreate: ChooseLink = async (work, email) => {
  const owner = await findEmail(work.trx, email.key)
  return {
    mail: owner === null ? 'signup' : 'login',
    purpose: 'login_or_create',
    userId: owner?.userId ?? null,
    data: { may_create: true },
  }
}

/** Signs in to an existing account. A mail informs the owner of any other address that it has none. */
const loginOnly: ChooseLink = async (work, email) => {
  const owner = await findEmail(work.trx, email.key)
  return { mail: owner === null ? 'no_account' : 'login', purpose: 'login', userId: owner?.userId ?? null }
}

/** Adds the address to the signed-in person's account when the link is opened in a session of theirs. */
const addToSession: ChooseLink = async (work, email, client) => {
  const { userId } = await requireAddable(work, client, email)
  return { mail: 'add_email', purpose: addingTo(userId), userId, data: { adds: true } }
}

/**
 * Creates the handlers of the three calls that mail a link. Their answer does not depend on whether an
 * account exists.
 */
export function sendMagicLinks(deps: Deps) {
  const handle =
    (chooseLink: ChooseLink): HandlerOf<'sendMagicLink'> =>
    async request => {
      const client = deps.readClient(request)
      const email = readEmail(request.body.email)
      const known = deps.origins.selectFor(client, email.key)
      const requester = await deps.limits.countMailRequest(client, known)
      const to = (kind: 'login' | 'signup') => readTarget(deps, request.body, kind)
      const targets = { login: to('login'), signup: to('signup') }
      await deps.change(async work => {
        const chosen = await chooseLink(work, email, client)
        await sendLink(work, deps, {
          ...chosen,
          ...targets[chosen.mail === 'signup' ? 'signup' : 'login'],
          tokenKind: 'magic_links',
          requester,
          to: email,
          codeChallenge: request.body.code_challenge,
        })
      })
      deps.mailSender.wake()
      return answer(request, {})
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
    minutes: readLinkExpiration(body[`${kind}_expiration_minutes`]),
  }
}
