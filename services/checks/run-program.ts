import { spawn } from 'node:child_process'

/** Runs a program. Returns null if it succeeds, otherwise all that it printed. */
export function runProgram(command: string, args: readonly string[], cwd: string): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', error => resolve(`${command} could not be run: ${error.message}`))
    child.once('close', (code, signal) => {
      if (code === 0) resolve(null)
      else resolve(output.trim() || `${command} ended with ${signal ?? `exit code ${code}`} without output.`)
    })
  })
}

/** Environment without colours, because the output is shown later, and without usage reports. */
const env = {
  ...process.env,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}
