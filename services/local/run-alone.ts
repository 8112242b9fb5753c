import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { portProblem } from './port-problem.ts'
import { acquireRunLock } from './run-lock.ts'
import { type RunOptions, readRunOptions } from './run-options.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/**
 * Runs `body` for `make run` and `make dev`, until it ends or a signal stops it. Refuses a second run from
 * the same folder and a port in use. Prints every failure as one sentence.
 */
export async function runAlone({ command, defaultPort, body }: RunAlone): Promise<void> {
  const signal = stopOnSignal(process, code => process.exit(code))
  try {
    const options = readRunOptions({ PORT: String(defaultPort), ...process.env }, rootDir)
    mkdirSync(options.dataDir, { recursive: true })
    const lock = acquireRunLock(join(options.dataDir, 'run.lock'), { pid: process.pid, command })
    if ('heldBy' in lock) {
      throw new Error(
        `Lapwing already runs from this folder (process ${lock.heldBy.pid}). Stop that one first.`,
      )
    }
    try {
      const problem = options.port === 0 ? null : await portProblem(options.port, options.host)
      if (problem !== null) throw new Error(problem)
      await body({ ...options, rootDir, signal, say: line => console.log(line) })
    } finally {
      lock.release()
    }
  } catch (error) {
    // A failure after a stop is no error.
    if (signal.aborted) return
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

interface RunAlone {
  /** Part of this process's command line; a later run recognises it. */
  readonly command: string
  readonly defaultPort: number
  readonly body: (run: Run) => Promise<void>
}

export interface Run extends RunOptions {
  readonly rootDir: string
  /** Fires when a person or the system stops the run. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

const rootDir = join(import.meta.dirname, '../..')
