import { useSyncExternalStore } from 'react'
import type { Preference } from './preference.ts'

/** The current value of a remembered choice; the component is drawn anew when it changes. */
export function usePreference<T>(preference: Preference<T>): T {
  return useSyncExternalStore(preference.subscribe, preference.get)
}
