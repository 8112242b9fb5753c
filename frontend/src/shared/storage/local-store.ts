import { createPreference, oneOf, type Preference, type PreferenceRules } from './preference.ts'
import { safeStorage } from './safe-storage.ts'

/** Storage that outlives the tab. */
export const localStore = safeStorage(() => globalThis.localStorage)

/** Creates a choice that outlives the tab and that all tabs follow. */
export function localPreference<T extends string | number | boolean>(
  rules: Pick<PreferenceRules<T>, 'key' | 'parse' | 'format'>,
): Preference<T> {
  return createPreference<T>({ ...rules, store: localStore, otherTabs: globalThis.window })
}

/** Creates such a choice between a few words; the first is the default. */
export function localChoice<T extends string>(key: string, ...choices: readonly [T, ...T[]]): Preference<T> {
  return localPreference<T>({ key, ...oneOf(choices) })
}
