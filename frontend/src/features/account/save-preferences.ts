import { ApiError } from '#shared/api/problem.ts'
import type { Account } from './account.ts'
import type { Consent } from './account-api.ts'
import type { Preferences } from './preference-cache.ts'

interface PreferenceChanges {
  readonly changes: Partial<Preferences>
  /** The stored preferences, if the service has returned them or this browser has cached them; else null. */
  readonly known: Preferences | null
  /** The preferences in the account, for use when the service does not answer. */
  readonly ofUser: Preferences
}

/**
 * Saves the mails that the driver wants, and shows the result. Preferences that did not change keep their stored
 * value, which is loaded first if it is unknown. Returns the new preferences; null if saving failed.
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
