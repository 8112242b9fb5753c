import { IdentityError } from '../errors.ts'

/** Returns the life of a link; see `readExpiration`. */
export function readLinkExpiration(minutes: number | undefined): number {
  return readExpiration(minutes, { min: 5, max: 10_080, fallback: 30 })
}

/**
 * Returns the life of a link or code in whole minutes. Throws `invalid_expiration_minutes` outside the
 * range.
 */
export function readExpiration(
  minutes: number | undefined,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  if (minutes === undefined) return fallback
  if (!Number.isInteger(minutes) || minutes < min || minutes > max) {
    throw new IdentityError('invalid_expiration_minutes', {
      message: `The expiration must be a whole number of minutes from ${min} to ${max}.`,
    })
  }
  return minutes
}
