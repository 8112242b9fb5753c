/** What tabs of one browser tell each other. */
export interface TabLink<Message> {
  post(message: Message): void
  /** Whatever arrives was posted by this site, but perhaps by another version of it. */
  listen(onMessage: (message: unknown) => void): void
  /** Calls back when another tab changed the stored value, or cleared the storage. */
  watch(key: string, onChange: () => void): void
  /**
   * Does the work while no other tab does any. `hadToWait` says that another did before, whose result
   * has arrived by then.
   */
  exclusively<T>(work: (hadToWait: boolean) => Promise<T>): Promise<T>
}

interface TabLinkDeps {
  readonly name: string
  /** Absent in browsers without it: tabs then only share what is stored. */
  readonly BroadcastChannel?: typeof globalThis.BroadcastChannel | undefined
  /** Absent on pages served without TLS: tabs then may do the same work twice, which is harmless. */
  readonly locks?: Pick<LockManager, 'request'> | undefined
  /** Where `storage` events of other tabs arrive. */
  readonly otherTabs: Pick<EventTarget, 'addEventListener'>
  readonly delay: (ms: number) => Promise<void>
}

/** Milliseconds in which a message posted before a lock was let go has surely arrived. */
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
