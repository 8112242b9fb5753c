import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { BackupProblem } from './backup-problem.ts'
import type { Say } from './progress.ts'

const MINUTE_MS = 60_000

/**
 * Runs a command until it ends, a signal stops it or its time is over. Prints a failure that an operator can act on as one
 * sentence, and sets the exit code: 0 done, 1 failed, 2 wrong configuration or arguments.
 */
export async function runCommand(
  command: (run: {
    readonly say: Say
    readonly signal: AbortSignal
    limit(minutes: number): AbortSignal
  }) => Promise<number>,
): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  await runOperatorCommand(async () => {
    try {
      return await command({
        say: line => console.log(line),
        signal: stop.signal,
        limit: minutes => AbortSignal.any([stop.signal, AbortSignal.timeout(minutes * MINUTE_MS)]),
      })
    } catch (error) {
      if (!(error instanceof BackupProblem)) throw error
      console.error(error.message)
      return 1
    }
  })
}
