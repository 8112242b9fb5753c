import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface WorkerProcess {
  readonly child: ChildProcess
  /** Returns all that it printed. */
  log(): string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
  readonly port: number
}

/** Starts the worker as a process, as in production. It is killed after the test. */
export async function startWorkerProcess(
  t: { after(fn: () => Promise<void>): void },
  env: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../worker.ts')], {
    env: { ...process.env, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let log = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.on('data', chunk => {
      log += chunk
      const found = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log)
      if (found) resolve(Number(found[1]))
    })
    exited.then(code => reject(new Error(`the worker ended with ${code} before it listened: ${log}`)))
  })
  return { child, log: () => log, exited, port }
}
