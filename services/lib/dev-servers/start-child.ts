import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** File that receives all output of the process. */
  readonly logFile?: string
  /** Matches the line of output that shows that the process is ready. */
  readonly ready: RegExp
  readonly readyWithinMs: number
  /** First signal of a stop; SIGKILL follows after `stopWithinMs`. */
  readonly stopSignal?: NodeJS.Signals
  readonly stopWithinMs?: number
}

export interface Child {
  readonly pid: number
  /** Resolves once the process has ended, for any reason. */
  readonly exited: Promise<void>
  stop(): Promise<void>
  /** Kills the process with SIGKILL, like a crash. */
  kill(): Promise<void>
}

/** Starts a server as a child process and resolves once its output shows that it is ready. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawn(options.command, options.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const log = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' })
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // Ends the child if this process ends without stopping it.
  const killWithParent = () => child.kill('SIGKILL')
  process.once('exit', killWithParent)
  exited.then(() => process.off('exit', killWithParent))
  await untilReady(child, options, exited, log)

  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), options.stopWithinMs ?? 10_000)
    await exited
    clearTimeout(timer)
    log?.end()
  }
  return {
    pid: child.pid!,
    exited,
    stop: () => end(options.stopSignal ?? 'SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

function untilReady(
  child: ChildProcess,
  options: ChildOptions,
  exited: Promise<void>,
  log: WriteStream | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const recent: string[] = []
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`${options.command} ${why}. Its last output:\n${recent.join('\n')}`))
    }
    const timer = setTimeout(
      () => fail(`was not ready within ${options.readyWithinMs} ms`),
      options.readyWithinMs,
    )
    const onLine = (line: string) => {
      // Output that is still in the pipe of a killed process comes after its end.
      if (log?.writable) log.write(`${line}\n`)
      recent.push(line)
      if (recent.length > 10) recent.shift()
      if (options.ready.test(line)) {
        clearTimeout(timer)
        resolve()
      }
    }
    // Reads both streams as long as the process lives: a full pipe would stop it.
    createInterface({ input: child.stdout! }).on('line', onLine)
    createInterface({ input: child.stderr! }).on('line', onLine)
    child.once('error', error => fail(`could not be started (${error.message})`))
    exited.then(() => fail('ended before it was ready'))
  })
}
