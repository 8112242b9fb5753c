import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Remembers for each account whether its driver has chosen the username. */
export type UsernameMarks = ReturnType<typeof createUsernameMarks>

export function createUsernameMarks(store: KeyValueStore) {
  const key = (userId: string) => `lapwing.username-changed.${userId}`
  return {
    isChanged: (userId: string) => store.get(key(userId)) === '1',
    markChanged: (userId: string) => store.set(key(userId), '1'),
  }
}

/**
 * Returns whether the name is a generated one (`user` and seven letters or digits, D-15) that nobody has chosen. It
 * may have been chosen in this browser or, as the service knows, in another one.
 */
export function offersUsername(
  { username, is_default }: { readonly username: string; readonly is_default: boolean },
  userId: string,
  marks: UsernameMarks,
): boolean {
  return is_default && /^user[a-z0-9]{7}$/i.test(username) && !marks.isChanged(userId)
}
