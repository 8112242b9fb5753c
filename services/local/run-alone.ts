import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { portProblem } from './port-problem.ts'
import { takeRunLock } from './run-lock.ts'
import { type RunOptions, readRunOptions } from './run-options.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/**
 * What `make run` and `make dev` share: refuses a second run from the same folder and a taken port,
 * then carries out `body` until it ends or somebody stops it. Whatever fails is said in one sentence.
 */
export async function runAlone({ command, defaultPort, body }: RunAlone): Promise<void> {
  const signal = stopOnSignal(process, code => process.exit(code))
  try {
    const options = readRunOptions({ PORT: String(defaultPort), ...process.env }, rootDir)
    mkdirSync(options.dataDir, { recursive: true })
    const lock = takeRunLock(join(options.dataDir, 'run.lock'), { pid: process.pid, command })
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
    // What fails because it was stopped is not an error.
    if (signal.aborted) return
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

interface RunAlone {
  /** The part of this process's command line by which a later run knows it. */
  readonly command: string
  readonly defaultPort: number
  readonly body: (run: Run) => Promise<void>
}

export interface Run extends RunOptions {
  readonly rootDir: string
  /** Fires when somebody wants the run to end. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

const rootDir = join(import.meta.dirname, '../..')
