import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Secrets of one installation by name, 32 random bytes each. Made when first asked for and kept in
 * a file that only its owner may read, since what one run sealed the next must open.
 */
export function openSecrets(file: string): (name: string) => string {
  return name => {
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
    const found = known[name]
    if (found !== undefined) return found
    const secret = randomBytes(32).toString('base64url')
    // Written whole or not at all: half a file would lock people out of their own data.
    writeFileSync(`${file}.new`, `${JSON.stringify({ ...known, [name]: secret }, null, 2)}\n`, {
      mode: 0o600,
    })
    renameSync(`${file}.new`, file)
    return secret
  }
}
