import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Harness } from './harness.ts'

/** Runs the moderator's command as a process, on the service's database. */
export function runModerate(
  { env }: Pick<Harness, 'env'>,
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, '../moderate.ts'), ...args],
      { env: { ...process.env, DATABASE_URL: env.DATABASE_URL }, timeout: 60_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, out: `${stdout}${stderr}` }),
    )
  })
}
