import { domainToASCII } from 'node:url'
import { IdentityError } from '../errors.ts'

export interface EmailAddress {
  /** Shown, and used for mails. */
  readonly address: string
  /** Equal for all spellings of one mailbox, in any case and Unicode form. */
  readonly key: string
}

/**
 * Reads a typed address. Trims spaces and accepts letters of any script, up to 254 characters (RFC 5321).
 * Throws `invalid_email` if no mail can be sent to it.
 */
export function readEmail(typed: string): EmailAddress {
  const address = typed.trim().normalize('NFKC')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const typedDomain = address.slice(at + 1).toLowerCase()
  const domain = domainToASCII(typedDomain)
  const isValid =
    at > 0 &&
    address.length <= 254 &&
    local.length <= 64 &&
    isLocal(local) &&
    hasOnlyLetters(typedDomain) &&
    isDomain(domain)
  if (!isValid) throw new IdentityError('invalid_email')
  return { address, key: `${local.toLowerCase()}@${domain}` }
}

/** Matches a dot-atom of RFC 5322 with the letters of RFC 6531. Rejects quoted forms, which nobody uses. */
function isLocal(local: string): boolean {
  return /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local)
}

/**
 * Matches letters, digits, hyphens and dots, and anything outside ASCII but spaces and controls.
 * `domainToASCII` reads an address as a browser does, and drops what follows a backslash.
 */
function hasOnlyLetters(domain: string): boolean {
  return /^([a-z0-9.-]|[^\s\p{Cc}\p{ASCII}])+$/u.test(domain)
}

function isDomain(domain: string): boolean {
  const isHost = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/.test(domain)
  return isHost && domain.length <= 253
}
