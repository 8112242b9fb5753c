import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

/** What the thread of `run-command.ts` does. */
export interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

let out = ''
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text: string | Uint8Array) => {
    out += text
    return true
  }
}

let runs = 0
parentPort!.on('message', async ({ args: [file = '', ...rest], env }: Command) => {
  out = ''
  process.argv = [process.execPath, file, ...rest]
  process.env = env
  process.exitCode = 0
  try {
    // A new query runs the file again. The modules that it imports are loaded already.
    await import(`${pathToFileURL(file).href}?run=${runs++}`)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  parentPort!.postMessage({ code: process.exitCode, out })
})
