import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  readonly withinMs?: number
  readonly signal?: AbortSignal
}

/**
 * Runs a program to its end. Returns what it printed to its standard output. Rejects if it fails, is not done in time
 * (two minutes if left out) or `signal` aborts. The message has the end of its output.
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, input = '', env = process.env, withinMs = 120_000, signal }: RunOptions = {},
): Promise<string> {
  const limit = AbortSignal.timeout(withinMs)
  const child = spawn(command, args, {
    cwd,
    env,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const what = `${command} ${args.join(' ')}`.slice(0, 200)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return output.stdout
  } catch (error) {
    if (limit.aborted) throw new Error(`${what} was not done within ${withinMs / 1000} s`, { cause: error })
    throw error
  }
  const end = (output.stderr.trim() || output.stdout.trim()).slice(-LONGEST_END)
  throw new Error(`${what} failed: ${end}`)
}

const LONGEST_END = 1_500
