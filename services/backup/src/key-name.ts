import { hkdfSync } from 'node:crypto'

/**
 * Returns the name of a key-encryption key: 16 hexadecimal digits that follow from the key. The key has 256 random bits,
 * so nobody can find it by its name.
 */
export function keyName(key: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'lapwing-backup-key-name', 8)).toString('hex')
}
