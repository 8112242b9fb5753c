import { ApiError } from '#shared/api/problem.ts'
import type { Account } from './account.ts'
import type { Consent } from './account-api.ts'
import type { Preferences } from './preference-cache.ts'

interface PreferenceChanges {
  readonly changes: Partial<Preferences>
  /** What stands, as far as the service or this browser has said; null before. */
  readonly known: Preferences | null
  /** What the account says, where the service cannot be asked. */
  readonly ofUser: Preferences
}

/**
 * Saves which mails the person wants, and tells how it went. What they did not change is saved as it stands: where
 * that is not known yet it is asked for first. Answers what stands now, null where it failed.
 */
export async function savePreferences(
  { api, preferenceCache, notify }: Pick<Account, 'api' | 'preferenceCache' | 'notify'>,
  userId: string,
  { changes, known, ofUser }: PreferenceChanges,
): Promise<Consent | null> {
  const { waitlist, marketing } = known ?? (await api.getConsent().catch(() => ofUser))
  try {
    const consent = await api.setConsent({ waitlist, marketing, ...changes })
    preferenceCache.set(userId, consent)
    notify.success('Preferences saved successfully!')
    return consent
  } catch (error) {
    notify.error(error instanceof ApiError ? 'Failed to save preferences' : 'Error saving preferences')
    return null
  }
}
