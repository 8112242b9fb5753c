import type { Deps } from '../deps.ts'
import { withToken } from '../redirects.ts'
import { addChallenge, issueToken, type TokenKind } from '../tokens/token.ts'
import type { EmailAddress } from '../users/email-address.ts'
import type { Work } from '../work.ts'

export interface Link {
  /** `no_account` does the work of a link and sends none: the address's owner learns that it is nobody's here. */
  readonly mail: 'reset_password' | 'login' | 'signup' | 'add_email' | 'no_account'
  readonly tokenKind: TokenKind
  readonly userId: string | null
  readonly to: EmailAddress
  readonly redirect: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly codeChallenge: string | undefined
  readonly minutes: number
}

/** Mails a link with a token, at most one a minute of a kind to one address. */
export async function sendLink(
  work: Work,
  { limits, enqueueMail, settings }: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  link: Link,
): Promise<void> {
  if (!(await limits.isFirst(work.trx, `mail ${link.tokenKind} ${link.to.key}`, work.now))) {
    await addChallenge(work, link.tokenKind, link.to.key, link.codeChallenge)
    return
  }
  const { tokenKind, userId, to, codeChallenge, minutes, redirect } = link
  const token = await issueToken(work, {
    kind: tokenKind,
    userId: link.mail === 'no_account' ? null : userId,
    address: to,
    ...(link.data !== undefined && { data: link.data }),
    codeChallenge,
    minutes,
  })
  // Made in any case, so that an unknown address is answered no sooner.
  const url = withToken(redirect, tokenKind, token)
  if (link.mail === 'no_account') {
    await enqueueMail(work, 'no_account', to.address, { url: settings.publicOrigin.href })
  } else {
    await enqueueMail(work, link.mail, to.address, { url, minutes }, minutes)
  }
}
