import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Command } from './command-thread.ts'
import type { runNode } from './run-node.ts'

let thread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs an operator's command like `runNode`, but in a thread that all commands of this process share, one after
 * the other. A process would load the same modules for each of them, which takes most of their CPU. Does not show
 * whether the process of a command would end.
 */
export const runCommand: typeof runNode = (args, env) => {
  const result = last.then(() => runNext({ args, env }))
  last = result.catch(() => {})
  return result
}

async function runNext(command: Command): Promise<Awaited<ReturnType<typeof runNode>>> {
  thread ??= new Worker(new URL('./command-thread.ts', import.meta.url), { execArgv: [] })
  thread.ref()
  try {
    thread.postMessage(command)
    const [result] = await once(thread, 'message', { signal: AbortSignal.timeout(120_000) })
    thread.unref()
    return result
  } catch (error) {
    await thread.terminate()
    thread = undefined
    throw error
  }
}
