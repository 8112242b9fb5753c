import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs one test file in its own Node process and returns the result of each test. Adds a failed test if
 * the file does not end in time, fails outside of its tests, or holds no test.
 */
export async function runTestFile(options: RunTestFile): Promise<FileResult> {
  const { file, timeoutMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-test-'))
  const report = join(folder, 'report.ndjson')
  const startedAt = performance.now()
  try {
    const { ending, output } = await runNode(
      [`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`, file],
      options,
    )
    const tests = readReport(report)
    const failed = tests.some(test => test.outcome === 'failed')
    const problem =
      ending === 'time-out'
        ? `did not end within ${timeoutMs / 1000} s`
        : ending !== 0 && !failed
          ? `ended with ${typeof ending === 'number' ? `exit code ${ending}` : ending}`
          : tests.length === 0
            ? 'holds no test'
            : null
    if (problem !== null) tests.push({ name: `the file ${problem}`, outcome: 'failed', error: '' })
    return { file, tests, output, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface RunTestFile {
  readonly rootDir: string
  /** Path from the root of the repository. */
  readonly file: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
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

export interface TestResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly error: string
}

export function hasFailed({ tests }: FileResult): boolean {
  return tests.some(test => test.outcome === 'failed')
}

const reporter = new URL('./ndjson-reporter.ts', import.meta.url).href
const OUTPUT_MAX_LENGTH = 8000

type Ending = number | NodeJS.Signals | 'time-out'

function runNode(args: string[], { rootDir, timeoutMs, signal, env }: Omit<RunTestFile, 'file'>) {
  return new Promise<{ ending: Ending; output: string }>((resolve, reject) => {
    // Its own process group, so that all processes of the file end with it.
    const child = spawn(process.execPath, args, {
      cwd: rootDir,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_MAX_LENGTH)
      })
    }
    let isLate = false
    const killAll = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // All processes of the group have ended already.
      }
    }
    const timer = setTimeout(() => {
      isLate = true
      killAll()
    }, timeoutMs)
    signal?.addEventListener('abort', killAll)
    if (signal?.aborted) killAll()
    child.once('error', reject)
    child.once('exit', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', killAll)
      // A child process that still runs would also hold our end of the pipes open.
      killAll()
      const ending = isLate ? 'time-out' : (code ?? killedBy ?? 1)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ ending, output: output.trim() })
    })
  })
}

function readReport(report: string): TestResult[] {
  let text = ''
  try {
    text = readFileSync(report, 'utf8')
  } catch {
    // The process ended before it opened its report.
  }
  // A killed process may leave its last line incomplete.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as TestResult)
}
