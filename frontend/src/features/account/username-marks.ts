import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** Remembers, for each person by themselves, that they have chosen their username. */
export interface UsernameMarks {
  isChanged(userId: string): boolean
  markChanged(userId: string): void
}

export function createUsernameMarks(store: KeyValueStore): UsernameMarks {
  const key = (userId: string) => `lapwing.username-changed.${userId}`
  return {
    isChanged: userId => store.get(key(userId)) === '1',
    markChanged: userId => store.set(key(userId), '1'),
  }
}

/** Whether a name was given and not chosen: the word user and seven letters or digits (D-15). */
export function offersUsername(username: string, userId: string, marks: UsernameMarks): boolean {
  return /^user[a-z0-9]{7}$/i.test(username) && !marks.isChanged(userId)
}
