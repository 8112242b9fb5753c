import { Secret, TOTP } from 'otpauth'
import { toDataURL } from 'qrcode'
import type { Cipher } from '../crypto/cipher.ts'

/** Seconds of a step, and digits of a code: what every authenticator app uses (RFC 6238). */
const PERIOD_S = 30
/** Steps by which the clock of a phone may be wrong. */
const WINDOW = 1

/** Creates a secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Encrypts a secret for its row. */
export function sealTotpSecret(cipher: Cipher, totpId: string, secret: string): Buffer {
  return cipher.seal(secret, labelOf(totpId))
}

/** Returns the step, in units of 30 s since 1970, to which a code of six digits belongs; null if it is wrong. */
export function findStep(
  cipher: Cipher,
  { totpId, secretSealed }: { readonly totpId: string; readonly secretSealed: Buffer },
  code: string,
  now: Date,
): number | null {
  const totp = new TOTP({
    secret: Secret.fromBase32(cipher.open(secretSealed, labelOf(totpId))),
    period: PERIOD_S,
  })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** Returns a PNG, as a data URL, from which an authenticator app reads the secret. */
export function qrCodeOf(secret: string, label: string, issuer: string): Promise<string> {
  const uri = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S, label, issuer }).toString()
  return toDataURL(uri, { errorCorrectionLevel: 'M', margin: 4, scale: 5 })
}

function labelOf(totpId: string): string {
  return `totp ${totpId}`
}
