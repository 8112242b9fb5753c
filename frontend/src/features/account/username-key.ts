/** Returns the cache key of a driver's name. */
export function usernameKey(userId: string) {
  return ['username', userId] as const
}

/** Returns whether a cache key belongs to a driver's name. */
export function isUsernameKey(key: unknown): boolean {
  return Array.isArray(key) && key[0] === 'username'
}
