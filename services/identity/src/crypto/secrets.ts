import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** 256 random bits for a person's browser; the database keeps only the digest. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256: enough for a secret that is itself random. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** An id in the protocol's form, such as `user-live-<uuid>`. */
export function newId(prefix: string): string {
  return `${prefix}-live-${randomUUID()}`
}
