import type { AppScope } from '@lapwing/auth'

/** Every scope that an app can ask for, with the sentence that the consent page shows. */
export const SCOPES = {
  openid: 'Know that it is you',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Keep this access while you are away, for 90 days at most',
  'laps:read': 'Read your saved laps, and the laps that you can compare with',
  'leaderboard:read': 'Read the leaderboards as you see them',
} as const satisfies Readonly<Record<AppScope, string>> & Readonly<Record<string, string>>

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[]

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name)
}
