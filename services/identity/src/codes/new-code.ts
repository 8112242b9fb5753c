import { randomInt } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import { newId } from '../crypto/secrets.ts'

export interface NewCode {
  readonly methodId: string
  /** Six digits. */
  readonly code: string
  readonly hash: Buffer
}

/** Creates a random code and its id in the protocol's form, such as `email-live-<uuid>`. */
export function newCode(cipher: Cipher, prefix: 'email' | 'phone-number'): NewCode {
  const methodId = newId(prefix)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return { methodId, code, hash: hashCode(cipher, methodId, code) }
}

/** Returns the HMAC of a code: a plain hash of six digits could be guessed from a copy of the table. */
export function hashCode(cipher: Cipher, methodId: string, code: string): Buffer {
  // The version before takes every code for one by mail. With another key it accepts none by text.
  return cipher.digest(`${methodId} ${code}`, methodId.startsWith('phone-number-') ? 'text code' : 'code')
}
