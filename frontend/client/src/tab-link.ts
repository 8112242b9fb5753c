/** Messages and locks between the tabs of one browser. */
export interface TabLink<Message> {
  post(message: Message): void
  /** Calls back with each message. This site posted it, but perhaps another version of the page. */
  listen(onMessage: (message: unknown) => void): void
  /** Calls back when another tab changed the stored value, or cleared the storage. */
  watch(key: string, onChange: () => void): void
  /** Runs the work while no other tab does. `hadToWait`: another tab ran some, and its result has arrived. */
  exclusively<T>(work: (hadToWait: boolean) => Promise<T>): Promise<T>
}

interface TabLinkDeps {
  readonly name: string
  /** Undefined in browsers without it: tabs then share only what is stored. */
  readonly BroadcastChannel?: typeof globalThis.BroadcastChannel | undefined
  /** Undefined on pages without TLS: two tabs may then do the same work, which is harmless. */
  readonly locks?: Pick<LockManager, 'request'> | undefined
  /** Receives `storage` events of other tabs. */
  readonly otherTabs: Pick<EventTarget, 'addEventListener'>
  readonly delay: (ms: number) => Promise<void>
}

/** Milliseconds after which a message that was posted before a lock was released has certainly arrived. */
const MESSAGE_TIME_MS = 30

export function createTabLink<Message>(deps: TabLinkDeps): TabLink<Message> {
  const { name, locks, otherTabs, delay } = deps
  const channel = deps.BroadcastChannel ? new deps.BroadcastChannel(name) : null
  return {
    post: message => channel?.postMessage(message),
    listen(onMessage) {
      channel?.addEventListener('message', event => onMessage(event.data))
    },
    watch(key, onChange) {
      otherTabs.addEventListener('storage', event => {
        const changed = (event as StorageEvent).key
        if (changed === key || changed === null) onChange()
      })
    },
    async exclusively(work) {
      if (!locks) return work(false)
      const done = await locks.request(name, { ifAvailable: true }, async lock =>
        lock === null ? null : { result: await work(false) },
      )
      if (done) return done.result
      return locks.request(name, async () => {
        await delay(MESSAGE_TIME_MS)
        return work(true)
      })
    },
  }
}
