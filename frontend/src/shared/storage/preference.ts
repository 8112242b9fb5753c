import { createStore, type Readable } from '#shared/store/store.ts'
import type { KeyValueStore } from './safe-storage.ts'

/** One stored choice. This page or another tab can change it. */
export interface Preference<T> extends Readable<T> {
  readonly key: string
  set(value: T): void
}

export interface PreferenceRules<T> {
  readonly key: string
  readonly store: KeyValueStore
  /** Parses the stored text; null if nothing is stored. Must accept any text: people edit their storage. */
  readonly parse: (stored: string | null) => T
  readonly format: (value: T) => string
  /** Receives `storage` events of other tabs. */
  readonly otherTabs?: Pick<EventTarget, 'addEventListener'> | undefined
}

export function createPreference<T extends string | number | boolean>(
  rules: PreferenceRules<T>,
): Preference<T> {
  const { key, store, parse, format, otherTabs } = rules
  const current = createStore(parse(store.get(key)))

  otherTabs?.addEventListener('storage', event => {
    const changed = (event as StorageEvent).key
    // A null key means that the whole storage was cleared.
    if (changed === key || changed === null) current.set(parse(store.get(key)))
  })

  return {
    key,
    get: current.get,
    subscribe: current.subscribe,
    set(next) {
      store.set(key, format(next))
      current.set(next)
    },
  }
}

/** Returns the rules of a choice between a few words. Any other stored text means the first word. */
export function oneOf<const T extends string>(
  choices: readonly [T, ...T[]],
): Pick<PreferenceRules<T>, 'parse' | 'format'> {
  return {
    parse: stored => choices.find(choice => choice === stored) ?? choices[0],
    format: value => value,
  }
}
