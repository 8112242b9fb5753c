import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FileOrder } from './run-files-here.ts'
import type { TestResult } from './test-results.ts'

/** A Node process that runs test files, one after the other. */
export interface TestProcess {
  /**
   * Runs a test file and returns the result of each test. Adds a failed test if the file does not end in time,
   * fails outside of its tests, or holds no test.
   */
  run(order: TestFile): Promise<FileResult>
  /** Is false after a failed file, which may have left a state that fails the next one, and after its end. */
  readonly isGood: () => boolean
  /** Ends the process, and kills the processes that its files started. */
  end(): Promise<void>
}

export interface TestFile {
  /** Path from the root of the repository. */
  readonly file: string
  readonly timeoutMs: number
  /** Further variables of the file. */
  readonly env?: Readonly<Record<string, string>>
}

export interface FileResult {
  readonly file: string
  readonly tests: readonly TestResult[]
  /** The end of what the file printed. */
  readonly output: string
  readonly seconds: number
  /** The failed run beside other files, if this is the second run. */
  readonly firstRun?: FileResult
}

export function hasFailed({ tests }: FileResult): boolean {
  return tests.some(test => test.outcome === 'failed')
}

/** Starts a process for test files. An abort of the signal kills it, and each file that then runs fails. */
export function startTestProcess(options: {
  readonly rootDir: string
  readonly signal?: AbortSignal | undefined
}): TestProcess {
  const { rootDir, signal } = options
  // Its own process group, so that all processes of a file end with it.
  const child = spawn(process.execPath, [program], {
    cwd: rootDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_MAX_LENGTH)
    })
  }
  const killAll = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All processes of the group have ended already.
    }
  }
  signal?.addEventListener('abort', killAll)
  const ended = endOf(child).finally(() => {
    signal?.removeEventListener('abort', killAll)
    // A child process that still runs would also hold our end of the pipes open.
    killAll()
    child.stdout!.destroy()
    child.stderr!.destroy()
  })
  let isGood = true
  // `run` reports an error of the start.
  void ended
    .catch(() => {})
    .then(() => {
      isGood = false
    })

  async function run({ file, timeoutMs, env = {} }: TestFile): Promise<FileResult> {
    const startedAt = performance.now()
    const tests: TestResult[] = []
    const { promise: answered, resolve: answer } = Promise.withResolvers<Ending>()
    const receive = (message: unknown) => {
      if (typeof message === 'number') answer(message)
      else tests.push(message as TestResult)
    }
    child.on('message', receive)
    const timer = setTimeout(() => {
      answer('time-out')
      killAll()
    }, timeoutMs)
    if (signal?.aborted) killAll()
    output = ''
    child.send({ file, env } satisfies FileOrder, () => {})
    const ending = await Promise.race([answered, ended])
    clearTimeout(timer)
    // The file printed before it answered, but the pipes may be read after the answer, in the same turn.
    await setImmediate()
    child.off('message', receive)
    const problem =
      ending === 'time-out'
        ? `did not end within ${timeoutMs / 1000} s`
        : ending !== 0 && !tests.some(test => test.outcome === 'failed')
          ? `ended with ${typeof ending === 'number' ? `exit code ${ending}` : ending}`
          : tests.length === 0
            ? 'holds no test'
            : null
    if (problem !== null) tests.push({ name: `the file ${problem}`, outcome: 'failed', error: '' })
    const result = {
      file,
      tests,
      output: output.trim(),
      seconds: (performance.now() - startedAt) / 1000,
    }
    isGood &&= !hasFailed(result)
    return result
  }

  return {
    run,
    isGood: () => isGood,
    async end() {
      if (isGood) child.disconnect()
      else killAll()
      await ended
    },
  }
}

type Ending = number | NodeJS.Signals | 'time-out'

function endOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, killedBy) => resolve(code ?? killedBy ?? 1))
  })
}

const program = join(import.meta.dirname, 'run-files-here.ts')
const OUTPUT_MAX_LENGTH = 8000
