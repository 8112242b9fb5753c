import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const rootDir = join(import.meta.dirname, '../../..')

/** Plays so many random histories of boards, by leaderboard's own test; false where one breaks a rank. */
export async function runHistories(histories: number): Promise<boolean> {
  const args = [join(rootDir, 'services/checks/test.ts'), 'services/leaderboard/src/histories.test.ts']
  const child = spawn(process.execPath, args, {
    cwd: rootDir,
    env: { ...process.env, HISTORIES: String(histories) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
