/** Something that a person did on the page. `details` has no secret. */
export interface UseEvent {
  readonly event_name: string
  readonly details: Readonly<Record<string, unknown>>
}

const BATCH = 15
const FLUSH_MS = 800

/** Collects events and sends them 15 at a time, or 800 ms after the first. */
export function createEventQueue(send: (events: readonly UseEvent[]) => void, timers: Timers = globalThis) {
  let waiting: UseEvent[] = []
  let timer: number | undefined

  function flush(): void {
    timers.clearTimeout(timer)
    timer = undefined
    const events = waiting
    waiting = []
    if (events.length > 0) send(events)
  }
  return {
    add(event_name: string, details: UseEvent['details'] = {}): void {
      waiting.push({ event_name, details })
      if (waiting.length >= BATCH) flush()
      else timer ??= timers.setTimeout(flush, FLUSH_MS)
    },
    flush,
  }
}

export type EventQueue = ReturnType<typeof createEventQueue>

interface Timers {
  setTimeout(run: () => void, ms: number): number
  clearTimeout(timer: number | undefined): void
}
