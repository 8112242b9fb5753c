import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** A process of `subjects/` that listens on a free port of this machine. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** Sends a message and returns the next one from the process. */
  ask<T>(message: string): Promise<T>
  stop(): Promise<void>
}

/** Starts `subjects/<script>`, or another script by its whole path. It sends its URL when it listens, and ends when its channel closes. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = fork(resolve(import.meta.dirname, 'subjects', script), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await nextMessage<string>(child, script)
  return {
    url,
    pid: child.pid!,
    ask(message) {
      const answer = nextMessage<never>(child, script)
      child.send(message)
      return answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function nextMessage<T>(child: ChildProcess, script: string): Promise<T> {
  const stop = new AbortController()
  const { signal } = stop
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as T),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${script} ended with ${code}.`)
      }),
    ])
  } finally {
    stop.abort()
  }
}
