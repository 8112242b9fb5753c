import { domainToASCII } from 'node:url'
import { IdentityError } from '../errors.ts'

export interface EmailAddress {
  /** As it is shown and mailed to. */
  readonly address: string
  /** Equal for spellings that mean one mailbox: case and Unicode forms do not matter. */
  readonly key: string
}

/**
 * Reads an address as people type it: space around it is dropped, letters of any script are taken.
 * Throws `invalid_email` for what no mail can be sent to. 254 characters at most (RFC 5321).
 */
export function readEmail(typed: string): EmailAddress {
  const address = typed.trim().normalize('NFKC')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1).toLowerCase())
  const valid = at > 0 && address.length <= 254 && local.length <= 64 && isLocal(local) && isDomain(domain)
  if (!valid) throw new IdentityError('invalid_email')
  return { address, key: `${local.toLowerCase()}@${domain}` }
}

/** A dot-atom of RFC 5322, with the letters of RFC 6531. Quoted forms are valid there and used by nobody. */
function isLocal(local: string): boolean {
  return /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local)
}

function isDomain(domain: string): boolean {
  return domain.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(domain)
}
