import { randomInt } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import { newId } from '../crypto/secrets.ts'
import type { SealedCode } from './totp.repository.ts'

/** Codes that a person gets with an authenticator app. */
const CODES = 10
/** Without letters and digits that look alike. Twelve of them have 59 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Creates the codes of a new authenticator app, such as `k7pa-x2mn-94qe`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: CODES }, () =>
    inGroups(Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')),
  )
}

/** Returns both stored forms of a code: one to show it again, one to find it. */
export function sealRecoveryCode(cipher: Cipher, totpId: string, code: string): SealedCode {
  const id = newId('recovery-code')
  return { id, sealed: cipher.seal(code, labelOf(id)), digest: digestRecoveryCode(cipher, totpId, code) }
}

export function openRecoveryCode(
  cipher: Cipher,
  { id, sealed }: { readonly id: string; readonly sealed: Buffer },
): string {
  return cipher.open(sealed, labelOf(id))
}

/** Returns the digest of a typed code. Case, spaces and hyphens do not matter. */
export function digestRecoveryCode(cipher: Cipher, totpId: string, typed: string): Buffer {
  const code = inGroups(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return cipher.digest(`${totpId} ${code}`, 'recovery code')
}

function inGroups(characters: string): string {
  return characters.match(/.{1,4}/g)?.join('-') ?? ''
}

function labelOf(id: string): string {
  return `recovery code ${id}`
}
