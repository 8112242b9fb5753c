import type { Deps } from '../deps.ts'
import { withToken } from '../redirects.ts'
import { addChallenge, hasLiveToken, issueToken, type TokenKind } from '../tokens/token.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { Work } from '../work.ts'
import { lockRequest, type MailRequest, mayMail, type Purpose } from './mail-request.ts'

export interface Link {
  /** `no_account` does the work of a link and sends none: the address's owner learns that it is nobody's here. */
  readonly mail: 'reset_password' | 'login' | 'signup' | 'add_email' | 'no_account'
  readonly tokenKind: TokenKind
  readonly purpose: Purpose
  readonly userId: string | null
  readonly to: EmailAddress
  readonly redirect: string
  /** Redirect of the second link of a reset mail, which signs in and keeps the password; null without one. */
  readonly loginRedirect?: string | null
  readonly data?: Readonly<Record<string, unknown>>
  readonly codeChallenge: string | undefined
  readonly minutes: number
}

type Tools = Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>

/** Mails a link with a token, unless the last one of this purpose still answers the request. */
export async function sendLink(work: Work, deps: Tools, link: Link): Promise<void> {
  const request: MailRequest = {
    what: 'link',
    purpose: link.purpose,
    to: link.to,
    isBound: link.codeChallenge !== undefined,
  }
  await lockRequest(work, request)
  const isAnswered = await hasLiveToken(work, request)
  if (isAnswered || !(await mayMail(work, deps.limits, request))) {
    return addChallenge(work, request, link.codeChallenge)
  }
  await mailLink(work, deps, link)
}

async function mailLink(work: Work, { enqueueMail, settings }: Tools, link: Link): Promise<void> {
  const { tokenKind, purpose, to, codeChallenge, minutes } = link
  const isKnown = link.mail !== 'no_account'
  const issue = (kind: TokenKind) =>
    issueToken(work, {
      kind,
      purpose,
      userId: isKnown ? link.userId : null,
      address: to,
      ...(link.data !== undefined && { data: link.data }),
      codeChallenge,
      minutes,
    })
  // Made in any case, so that an unknown address is answered no sooner.
  const url = withToken(link.redirect, tokenKind, await issue(tokenKind))
  const loginUrl = link.loginRedirect
    ? withToken(link.loginRedirect, 'login', await issue('magic_links'))
    : undefined
  if (link.mail === 'no_account') {
    await enqueueMail(work, 'no_account', to.address, { url: settings.publicOrigin.href })
  } else {
    const data = { url, minutes, ...(loginUrl !== undefined && { loginUrl }) }
    await enqueueMail(work, link.mail, to.address, data, minutes)
  }
}
