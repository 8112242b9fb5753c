import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Keeps one process running. Starts it and waits until it answers. Restarts it with growing delays when it
 * dies. Stops it with SIGTERM, then SIGKILL.
 */
export function superviseProcess(options: SupervisedOptions): Supervised {
  const { name, say, logFile } = options
  const timing = { ...defaultTiming, ...options.timing }
  const stopped = new AbortController()
  const first = Promise.withResolvers<void>()
  // The caller may still wait for another part when this one fails.
  first.promise.catch(() => {})
  let child: RunningChild | null = null
  rotate(logFile)

  const life = (async () => {
    let everReady = false
    for (let failures = 0; !stopped.signal.aborted; ) {
      const startedAt = performance.now()
      child = start(options)
      const isReady = await becomesReady(options.readyUrls, child.ended, timing, stopped.signal)
      const isSilent = !isReady && !child.hasEnded()
      if (isReady) {
        if (everReady) say(`${name} is running again.`)
        everReady = true
        first.resolve()
      } else if (isSilent) {
        await terminate(child, timing.stopMs)
      }
      const ending = await child.ended
      const how = isSilent ? `no answer within ${timing.readyMs / 1000} s` : ending
      child = null
      if (stopped.signal.aborted) break
      failures = isReady && performance.now() - startedAt > timing.steadyMs ? 1 : failures + 1
      if (!everReady && (isSilent || failures >= timing.firstTries)) {
        first.reject(
          new Error(`${name} does not start (${how}). The end of its log, ${logFile}:\n${endOf(logFile)}`),
        )
        break
      }
      const waitMs = Math.min(timing.restartMs * 2 ** (failures - 1), timing.restartMaxMs)
      say(`${name} stopped unexpectedly (${how}); it starts again in ${waitMs / 1000} s. Its log: ${logFile}`)
      await delay(waitMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
    first.reject(new Error(`${name} was stopped before it was ready.`))
  })()

  return {
    name,
    ready: first.promise,
    pid: () => child?.pid,
    async stop() {
      stopped.abort()
      if (child !== null) await terminate(child, timing.stopMs)
      await life
    },
  }
}

export interface SupervisedOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives all output of the process; kept across restarts. */
  readonly logFile: string
  /** All of these must answer 200 before the process counts as ready. */
  readonly readyUrls: readonly string[]
  readonly say: (line: string) => void
  readonly timing?: Partial<typeof defaultTiming> | undefined
}

export interface Supervised {
  readonly name: string
  /** Settles once: when the process answers for the first time, or when it has failed for the last time. */
  readonly ready: Promise<void>
  readonly pid: () => number | undefined
  readonly stop: () => Promise<void>
}

const defaultTiming = {
  /** How long a start may take before it counts as failed. */
  readyMs: 120_000,
  /** Delay between two readiness checks. */
  pollMs: 50,
  /** The first wait before a restart; it doubles with every failure. */
  restartMs: 500,
  restartMaxMs: 10_000,
  /** A process that ran this long restarts without counting earlier failures. */
  steadyMs: 30_000,
  /** Failed starts after which a process that never ran is given up. */
  firstTries: 3,
  /** Delay between SIGTERM and SIGKILL. */
  stopMs: 10_000,
}

interface RunningChild {
  readonly pid: number | undefined
  /** Resolves with the kind of its end, such as "exit code 1". */
  readonly ended: Promise<string>
  readonly hasEnded: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
}

function start({ command, args, cwd, env, logFile }: SupervisedOptions): RunningChild {
  const log = openSync(logFile, 'a')
  // Its own process group: Ctrl-C in a terminal signals the whole group of `make`, but we stop the parts in
  // order. The closed channel notifies the process when we are gone (exit-with-parent.ts).
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log, 'ipc'] })
  closeSync(log)
  let over = false
  const ended = new Promise<string>(resolve => {
    const end = (how: string) => {
      over = true
      killRest(child.pid)
      resolve(how)
    }
    child.once('error', error => end(error.message))
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  return {
    pid: child.pid,
    ended,
    hasEnded: () => over,
    signal(signal) {
      if (child.pid === undefined || over) return
      try {
        // SIGKILL goes to the process and its children; after SIGTERM it stops its children itself.
        process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
      } catch {
        // The process ended between the check and the signal.
      }
    },
  }
}

/** Kills what a dead process left behind, such as its database: the next start needs the folder. */
function killRest(group: number | undefined): void {
  if (group === undefined) return
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // No process is left.
  }
}

async function terminate(child: RunningChild, stopMs: number): Promise<void> {
  child.signal('SIGTERM')
  const timer = setTimeout(() => child.signal('SIGKILL'), stopMs)
  await child.ended
  clearTimeout(timer)
}

async function becomesReady(
  urls: readonly string[],
  ended: Promise<unknown>,
  { readyMs, pollMs }: typeof defaultTiming,
  stopped: AbortSignal,
): Promise<boolean> {
  const waiting = new AbortController()
  void ended.then(() => waiting.abort())
  const signal = AbortSignal.any([waiting.signal, stopped, AbortSignal.timeout(readyMs)])
  while (!signal.aborted) {
    const answers = await Promise.all(urls.map(answersOk))
    if (signal.aborted) break
    if (answers.every(Boolean)) return true
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
  return false
}

function answersOk(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const request = get(url, { agent: false, timeout: 2000 }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}

const LOG_MAX_BYTES = 5 * 1024 * 1024

/** Keeps one older log, so that a folder in daily use does not grow forever. */
function rotate(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(logFile, `${logFile}.1`)
}

/** Returns the last lines of a log. */
export function endOf(logFile: string, lines = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
}
