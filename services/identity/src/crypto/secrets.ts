import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Returns 256 random bits for a person's browser; the database stores only the digest. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256, which is enough for a secret of 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Returns an id in the protocol's form, such as `user-live-<uuid>`. */
export function newId(prefix: string): string {
  return `${prefix}-live-${randomUUID()}`
}
