import type { Deps } from '../deps.ts'
import type { Requester } from '../limits/mail-limits.ts'
import { withToken } from '../redirects.ts'
import { addChallenge, hasLiveToken, issueToken, type TokenKind } from '../tokens/token.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { Work } from '../work.ts'
import { countMail, lockRequest, type MailRequest, type Purpose } from './mail-request.ts'

export interface Link {
  /** `no_account` does the work of a link, but its mail only explains that no account has the address. */
  readonly mail: 'reset_password' | 'login' | 'signup' | 'add_email' | 'no_account'
  readonly tokenKind: TokenKind
  readonly purpose: Purpose
  readonly requester: Requester
  readonly userId: string | null
  readonly to: EmailAddress
  readonly redirect: string
  /** Redirect of a reset mail's second link, which signs in without a new password; null without one. */
  readonly loginRedirect?: string | null
  readonly data?: Readonly<Record<string, unknown>>
  readonly codeChallenge: string | undefined
  readonly minutes: number
}

type Tools = Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>

/** Mails a link with a token, unless a recent mail of this purpose answers the request. */
export async function sendLink(work: Work, deps: Tools, link: Link): Promise<void> {
  const request: MailRequest = {
    what: 'link',
    purpose: link.purpose,
    to: link.to,
    requester: link.requester,
    isBound: link.codeChallenge !== undefined,
  }
  await lockRequest(work, request)
  const isAnswered = await hasLiveToken(work, request)
  if (isAnswered || !(await countMail(work, deps.limits, request))) {
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
  // Also for an unknown address, so that its answer takes as long.
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
