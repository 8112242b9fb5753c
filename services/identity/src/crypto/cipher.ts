import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type Cipher = ReturnType<typeof createCipher>

/**
 * Encrypts texts that must be readable again, and digests texts that must not.
 *
 * @param key 32 bytes; each use derives a key of its own
 */
export function createCipher(key: Uint8Array) {
  const sealingKey = derive(key, 'seal')
  const digestKey = derive(key, 'digest')
  return {
    /** Encrypts with AES-256-GCM; only the same `label` opens it. */
    seal(text: string, label: string): Buffer {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(label))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    /** Decrypts. Throws if the bytes were changed, or sealed with another key or label. */
    open(sealed: Buffer, label: string): string {
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, 12), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(label))
        .setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
    /** Returns an HMAC-SHA-256, for texts that are too short for a plain hash. Each label has its own key. */
    digest: (text: string, label: string): Buffer => hmac(hmac(digestKey, label), text),
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function derive(key: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `lapwing-identity-${use}`, 32))
}
