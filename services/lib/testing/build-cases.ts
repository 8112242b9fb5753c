import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedIbt } from './shared-ibt.ts'

/**
 * Builds the shared inputs that public reports about other tools led to. Returns their bytes by name, such as
 * `practice-and-heat`. Needs Python and the shared files.
 */
export function buildCases(): Readonly<Record<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-cases-'))
  try {
    execFileSync('python3', [sharedIbt('cases/build.py'), folder], { timeout: 120_000 })
    const files = readdirSync(folder).map(file => [
      file.replace('.ibt', ''),
      readFileSync(join(folder, file)),
    ])
    return Object.fromEntries(files) as Record<string, Uint8Array>
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
