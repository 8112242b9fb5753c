import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { superviseProcess } from '@lapwing/local/supervise-process'

/** A process of a service. Its supervisor restarts it whenever it dies. */
export interface ServiceProcess {
  /** SIGKILL without a drain. Does nothing if the process is down. */
  kill(): void
  /** SIGSTOP: the process pauses while all clocks go on. */
  freeze(): void
  /** SIGCONT. */
  thaw(): void
  /** Memory of the process, MiB; null if it is down or the system does not provide it. */
  residentMiB(): number | null
  /** Resolves when `/readyz` answers 200. */
  ready(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

export function startServiceProcess(options: {
  readonly name: string
  readonly entry: string
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  readonly logDir: string
  readonly say: (line: string) => void
}): ServiceProcess {
  const { name, entry, env, url, logDir, say } = options
  const supervised = superviseProcess({
    name,
    command: process.execPath,
    args: [`--import=${exitWithParent}`, entry],
    cwd: logDir,
    env: { ...process.env, ...env },
    logFile: join(logDir, `${name}.log`),
    readyUrls: [`${url}/readyz`],
    say,
    // Like an orchestrator, but faster: a wave lasts seconds.
    timing: { restartMs: 200, restartMaxMs: 1_000, firstTries: 10, stopMs: 5_000 },
  })
  let frozen: number | undefined
  const signal = (name: NodeJS.Signals, pid: number | undefined) => {
    if (pid === undefined) return
    try {
      process.kill(pid, name)
    } catch {
      // The process ended between the check and the signal.
    }
  }
  const thaw = () => {
    signal('SIGCONT', frozen)
    frozen = undefined
  }
  return {
    kill: () => signal('SIGKILL', supervised.pid()),
    freeze() {
      frozen = supervised.pid()
      signal('SIGSTOP', frozen)
    },
    thaw,
    residentMiB() {
      const pid = supervised.pid()
      if (pid === undefined) return null
      try {
        const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        return kib === undefined ? null : Number(kib) / 1024
      } catch {
        return null
      }
    },
    async ready(signal) {
      for (;;) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
        await answer?.body?.cancel()
        if (answer?.ok) return
        if (signal.aborted) throw new Error(`${name} does not become ready; its log is in ${logDir}`)
        await delay(50)
      }
    },
    async stop() {
      thaw()
      await supervised.stop()
    },
  }
}

const exitWithParent = import.meta.resolve('@lapwing/local/exit-with-parent')
