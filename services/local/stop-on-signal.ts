import type { EventEmitter } from 'node:events'

/**
 * An abort signal that fires when a person or the system wants the process to end: Ctrl-C, a closed
 * terminal, `kill`. The second wish is not waited for: the process exits at once.
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
