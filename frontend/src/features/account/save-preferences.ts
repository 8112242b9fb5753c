import { ApiError } from '#shared/api/problem.ts'
import type { Account } from './account.ts'
import type { Consent } from './account-api.ts'
import type { Preferences } from './preference-cache.ts'

/** Saves which mails the person wants, and tells how it went. Answers what stands now, null where it failed. */
export async function savePreferences(
  { api, preferenceCache, tell }: Pick<Account, 'api' | 'preferenceCache' | 'tell'>,
  userId: string,
  preferences: Preferences,
): Promise<Consent | null> {
  try {
    const consent = await api.setConsent(preferences)
    preferenceCache.set(userId, consent)
    tell.success('Preferences saved successfully!')
    return consent
  } catch (error) {
    tell.error(error instanceof ApiError ? 'Failed to save preferences' : 'Error saving preferences')
    return null
  }
}
