import { execFile } from 'node:child_process'

/** A program that prints one line of JSON, with its arguments and environment. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
}

const TIMEOUT_MS = 10 * 60_000

/** Runs a fresh process and returns the JSON it prints. Rejects with the end of its error stream. */
export function runProcess<T>({ command, args, env }: Command): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, ...env } }
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args[0]}: ${stderr.trim().slice(-2000) || error.message}`))
      else resolve(JSON.parse(stdout) as T)
    })
  })
}
