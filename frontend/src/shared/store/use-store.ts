import { useSyncExternalStore } from 'react'
import type { Readable } from './store.ts'

/** Returns the current value, or the part that `pick` reads from it. Renders again when that changes. */
export function useStore<T>(store: Readable<T>): T
export function useStore<T, Part>(store: Readable<T>, pick: (value: T) => Part): Part
export function useStore<T>(store: Readable<T>, pick: (value: T) => unknown = value => value): unknown {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
