const WORDS: Readonly<Record<string, string>> = {
  profile: 'your name',
  email: 'your email address',
  'laps:read': 'your laps',
  'leaderboard:read': 'leaderboards',
}

/** Returns whether one of the scopes lets an app act as the driver. Every other scope only reads. */
export function canChange(scopes: readonly string[]): boolean {
  return scopes.includes('full_access')
}

/** Returns what an app can do by these scopes, which are separated by spaces. */
export function wordsOfScopes(scopes: string): string {
  const granted = scopes.split(' ')
  const words = granted.flatMap(scope => WORDS[scope] ?? [])
  const known = canChange(granted)
    ? 'Acts as you in everything'
    : words.length === 0
      ? 'Knows that it is you'
      : `Reads ${words.join(', ')}`
  return granted.includes('offline_access') ? `${known}, also while you are away` : known
}
