import type { IdentityUser } from '@lapwing/identity-client/contract'
import { useState } from 'react'
import useSWR from 'swr'
import { Button } from '#shared/ui/Button.tsx'
import { Checkbox } from '#shared/ui/Checkbox.tsx'
import type { Account } from './account.ts'
import type { Preferences } from './preference-cache.ts'
import { preferencesOfUser } from './preferences-of-user.ts'
import { savePreferences } from './save-preferences.ts'

interface PreferencesFormProps {
  readonly account: Account
  readonly userId: string
  readonly user: IdentityUser | null
}

/** Milliseconds for which an answer of the service is fresh. */
const FRESH_MS = 5 * 60_000

/** The mails that the driver wants, and the driver's position on the waitlist. */
export function PreferencesForm({ account, userId, user }: PreferencesFormProps) {
  const { data: consent, mutate } = useSWR(['consent', userId], () => account.api.getConsent(), {
    dedupingInterval: FRESH_MS,
  })
  const [changes, setChanges] = useState<Partial<Preferences>>({})
  const [isBusy, setBusy] = useState(false)
  const known = account.preferenceCache.get(userId) ?? consent ?? null
  const ofUser = preferencesOfUser(user)
  const shown = { ...(known ?? ofUser), ...changes }

  const save = async () => {
    setBusy(true)
    const saved = await savePreferences(account, userId, { changes, known, ofUser })
    setBusy(false)
    if (saved === null) return
    setChanges({})
    await mutate(saved, { revalidate: false })
  }
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-semibold text-muted">Email preferences</legend>
      <Checkbox
        label="Product Waitlist"
        checked={shown.waitlist}
        disabled={isBusy}
        onCheckedChange={waitlist => setChanges({ ...changes, waitlist })}
      />
      <Checkbox
        label="Marketing Updates"
        checked={shown.marketing}
        disabled={isBusy}
        onCheckedChange={marketing => setChanges({ ...changes, marketing })}
      />
      {consent?.waitlist_position != null && (
        <p className="mt-1 text-xs text-muted">
          Number {consent.waitlist_position} on the waitlist.
          {consent.early_access && ' Early access: all 3 tiers for the price of the first tier for 1 year.'}
        </p>
      )}
      <Button className="mt-2 w-full" isBlocked={isBusy} onClick={() => void save()}>
        {isBusy ? 'Saving...' : 'Save Preferences'}
      </Button>
    </fieldset>
  )
}
