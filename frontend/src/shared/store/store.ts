/** A value that changes. */
export interface Readable<T> {
  /** Returns the same object until the next change. */
  get(): T
  /** Calls back after each change. Returns the function that ends this. */
  subscribe(onChange: () => void): () => void
}

export interface Store<T> extends Readable<T> {
  /** Replaces the value; notifies nobody if it stays the same. */
  set(next: T): void
  /** Replaces some fields of an object. */
  patch(fields: Partial<T>): void
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial
  const set = (next: T) => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => value,
    set,
    patch: fields => set({ ...value, ...fields }),
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}
