/** Scopes of Lapwing's own API that a person can grant to a connected app. Each allows only reading. */
export const APP_SCOPES = ['laps:read', 'leaderboard:read'] as const

export type AppScope = (typeof APP_SCOPES)[number]

/** Returns the audience of access tokens: Lapwing's API at its public origin. */
export function apiAudience(issuer: string): string {
  return `${issuer}/api`
}
