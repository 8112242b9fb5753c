import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a program of Node to its end. Returns its exit code and what it printed. */
export async function runNode(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const child = spawn(process.execPath, args, { env, timeout: 120_000 })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      out += part
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, out }
}
