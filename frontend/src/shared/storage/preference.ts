import type { KeyValueStore } from './safe-storage.ts'

/** One remembered choice. Shaped for `useSyncExternalStore`. */
export interface Preference<T> {
  readonly key: string
  get(): T
  set(value: T): void
  /** Calls back on a change from this page or from another tab. Answers the way to stop. */
  subscribe(onChange: () => void): () => void
}

export interface PreferenceRules<T> {
  readonly key: string
  readonly store: KeyValueStore
  /** Of the stored text, null where nothing is stored. Must accept any text: people edit their storage. */
  readonly parse: (stored: string | null) => T
  readonly format: (value: T) => string
  /** Where `storage` events of other tabs arrive. */
  readonly otherTabs?: Pick<EventTarget, 'addEventListener'> | undefined
}

export function createPreference<T extends string | boolean>(rules: PreferenceRules<T>): Preference<T> {
  const { key, store, parse, format, otherTabs } = rules
  const listeners = new Set<() => void>()
  let value = parse(store.get(key))

  const change = (next: T) => {
    if (next === value) return
    value = next
    for (const listener of listeners) listener()
  }

  otherTabs?.addEventListener('storage', event => {
    const changed = (event as StorageEvent).key
    // A null key means that the whole storage was cleared.
    if (changed === key || changed === null) change(parse(store.get(key)))
  })

  return {
    key,
    get: () => value,
    set(next) {
      store.set(key, format(next))
      change(next)
    },
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

/** Rules of a choice among a few words; anything else in the storage means the first of them. */
export function oneOf<const T extends string>(
  choices: readonly [T, ...T[]],
): Pick<PreferenceRules<T>, 'parse' | 'format'> {
  return {
    parse: stored => choices.find(choice => choice === stored) ?? choices[0],
    format: value => value,
  }
}
