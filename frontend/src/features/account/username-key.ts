/** Under which the name of a person is cached. */
export function usernameKey(userId: string) {
  return ['username', userId] as const
}

/** Whether a cached thing is somebody's name. */
export function isUsernameKey(key: unknown): boolean {
  return Array.isArray(key) && key[0] === 'username'
}
