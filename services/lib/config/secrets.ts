import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Returns a function that finds the secret with a name: 32 random bytes in base64url. Its first call with a
 * name creates the secret. All are stored in `file`, which only its owner may read, because the next run must
 * open what this run sealed.
 */
export function openSecrets(file: string): (name: string) => string {
  return name => {
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
    const found = known[name]
    if (found !== undefined) return found
    const secret = randomBytes(32).toString('base64url')
    // Written to a new file and renamed: an incomplete file would lock people out of their own data.
    writeFileSync(`${file}.new`, `${JSON.stringify({ ...known, [name]: secret }, null, 2)}\n`, {
      mode: 0o600,
    })
    renameSync(`${file}.new`, file)
    return secret
  }
}
