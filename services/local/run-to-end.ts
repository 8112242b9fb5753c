import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { endOf } from './supervise-process.ts'

/** Runs a Node file to its end. Rejects with the end of its log if it fails, and if `signal` fires. */
export async function runToEnd({ name, args, cwd, env, logFile, signal }: RunToEnd): Promise<void> {
  const log = openSync(logFile, 'a')
  // Its own process group, like every part: we pass Ctrl-C of a terminal on ourselves.
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  try {
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null]
    if (code === 0) return
    const how = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`
    throw new Error(`${name} cannot be prepared (${how}). The end of its log, ${logFile}:\n${endOf(logFile)}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export interface RunToEnd {
  /** Name of the part that it prepares. */
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: string
  readonly signal: AbortSignal
}
