import { createStore, type Readable } from '#shared/store/store.ts'
import type { KeyValueStore } from './safe-storage.ts'

/** One remembered choice. It changes on this page or in another tab. */
export interface Preference<T> extends Readable<T> {
  readonly key: string
  set(value: T): void
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

/** Rules of a choice among a few words; anything else in the storage means the first of them. */
export function oneOf<const T extends string>(
  choices: readonly [T, ...T[]],
): Pick<PreferenceRules<T>, 'parse' | 'format'> {
  return {
    parse: stored => choices.find(choice => choice === stored) ?? choices[0],
    format: value => value,
  }
}
