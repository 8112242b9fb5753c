import type { Cipher } from '../crypto/cipher.ts'
import { markUsed } from '../tokens/token.ts'
import type { Work } from '../work.ts'
import { invalidCredential } from './read-credential.ts'

/** A challenge for a sign-in with any passkey of a domain. */
export interface SealedChallenge {
  readonly domain: string
  readonly expiresAt: Date
}

const LABEL = 'passkey challenge'

/**
 * Creates a challenge that holds its domain and its end, sealed with 96 random bits. Nothing is stored until a
 * passkey has signed it: anybody can request any number of challenges.
 */
export function sealChallenge(cipher: Cipher, { domain, expiresAt }: SealedChallenge): Buffer {
  return cipher.seal(`${expiresAt.getTime()} ${domain}`, LABEL)
}

/** Returns what a sealed challenge holds; null for any other text, and for one that has expired. */
export function openChallenge(cipher: Cipher, challenge: string, now: Date): SealedChallenge | null {
  let text: string
  try {
    text = cipher.open(Buffer.from(challenge, 'base64url'), LABEL)
  } catch {
    return null
  }
  const [expiresAtMs, domain = ''] = text.split(' ')
  const expiresAt = new Date(Number(expiresAtMs))
  return expiresAt > now ? { domain, expiresAt } : null
}

/**
 * Uses up a sealed challenge with the change. Throws `invalid_public_key_credential` if it was used before. One
 * of many concurrent tries succeeds.
 */
export async function useSealedChallenge(
  work: Work,
  challenge: string,
  { expiresAt }: SealedChallenge,
): Promise<void> {
  if (!(await markUsed(work, 'webauthn_login', challenge, expiresAt))) throw invalidCredential()
}
