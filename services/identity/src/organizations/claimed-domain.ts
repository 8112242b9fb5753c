import { domainOf } from './auth-method.ts'
import { OperatorError } from './operator-error.ts'

/** Domains in which everybody can have a mailbox. An organization that claimed one could open their accounts. */
const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set([
  'aol.com',
  'bk.ru',
  'comcast.net',
  'duck.com',
  'fastmail.com',
  'free.fr',
  'freenet.de',
  'gmail.com',
  'gmx.at',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hey.com',
  'hotmail.co.uk',
  'hotmail.com',
  'hotmail.de',
  'hotmail.fr',
  'icloud.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'naver.com',
  'orange.fr',
  'outlook.com',
  'outlook.de',
  'pm.me',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'tutanota.com',
  'uol.com.br',
  'web.de',
  'yahoo.co.jp',
  'yahoo.co.uk',
  'yahoo.com',
  'yahoo.de',
  'yahoo.fr',
  'yandex.ru',
  'ymail.com',
  'zoho.com',
  '126.com',
  '163.com',
])

/**
 * Reads a domain that an operator types, in any case and script. Returns it as in the keys of addresses.
 *
 * @throws OperatorError
 */
export function readClaimedDomain(typed: string): string {
  const domain = readDomain(typed)
  if (domain === null)
    throw new OperatorError(`${typed} is not the domain of mail addresses, such as racing.example.`)
  if (PUBLIC_MAIL_DOMAINS.has(domain)) {
    throw new OperatorError(`${domain} belongs to a public mail provider. No organization can claim it.`)
  }
  return domain
}

function readDomain(typed: string): string | null {
  if (typed.includes('@')) return null
  try {
    return domainOf(`somebody@${typed}`)
  } catch {
    return null
  }
}
