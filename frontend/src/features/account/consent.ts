const WORDS: Readonly<Record<string, string>> = {
  profile: 'your name',
  email: 'your email address',
  'laps:read': 'your laps',
  'leaderboard:read': 'leaderboards',
}

/** Returns what an app can read by these scopes, which are separated by spaces. */
export function wordsOfScopes(scopes: string): string {
  const words = scopes.split(' ').flatMap(scope => WORDS[scope] ?? [])
  const known = words.length === 0 ? 'Knows that it is you' : `Reads ${words.join(', ')}`
  return scopes.split(' ').includes('offline_access') ? `${known}, also while you are away` : known
}
