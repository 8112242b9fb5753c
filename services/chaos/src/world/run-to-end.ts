import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a Node file and returns its output. Rejects with its output if it fails. */
export async function runToEnd(
  file: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    timeout: 120_000,
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout + stderr
}
