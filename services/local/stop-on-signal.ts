import type { EventEmitter } from 'node:events'

/**
 * Returns an abort signal that fires when a person or the system stops the process: Ctrl-C, a closed
 * terminal, `kill`. A second signal exits the process immediately.
 */
export function stopOnSignal(events: EventEmitter, exit: (code: number) => void): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    events.on(name, () => {
      if (stop.signal.aborted) exit(130)
      stop.abort()
    })
  }
  return stop.signal
}
