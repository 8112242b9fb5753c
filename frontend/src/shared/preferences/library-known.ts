import { localStore } from '#shared/storage/local-store.ts'

const KEY = 'lapwing.library'

/** Returns whether this browser has a library of telemetry files. */
export const isLibraryKnown = () => localStore.get(KEY) !== null

export function setLibraryKnown(isKnown: boolean): void {
  if (isKnown) localStore.set(KEY, '1')
  else localStore.remove(KEY)
}
