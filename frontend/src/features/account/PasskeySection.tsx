import type { IdentityUser } from '@lapwing/identity-client/contract'
import { passkeyBrowser } from '@lapwing/identity-client/passkey-browser'
import { createPasskeys } from '@lapwing/identity-client/passkeys'
import { createUsers } from '@lapwing/identity-client/users'
import { KeyRound, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import { AccountSection } from './AccountSection.tsx'
import { addPasskey } from './add-passkey.ts'
import { RemovableRow } from './RemovableRow.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

type Passkey = IdentityUser['webauthn_registrations'][number]

/** The passkeys of the account: adds, names and removes them. */
export function PasskeySection({ account, user, run }: SectionProps) {
  const { isBusy, act } = useBusyRun(run)
  const passkeys = user.webauthn_registrations
  return (
    <AccountSection id="passkeys" title="Passkeys" icon={KeyRound} isOn={passkeys.length > 0}>
      <p className="text-muted">Sign in with your fingerprint, your face or a PIN. No password, no code.</p>
      {passkeys.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {passkeys.map(passkey => (
            <PasskeyRow
              key={passkey.webauthn_registration_id}
              passkey={passkey}
              isBusy={isBusy}
              onName={name =>
                act(async () => {
                  await createPasskeys(account.client).rename(passkey.webauthn_registration_id, { name })
                })
              }
              onRemove={() =>
                act(async () => {
                  await createUsers(account.client).removePasskey(passkey.webauthn_registration_id)
                  account.notify.success('Passkey removed')
                })
              }
            />
          ))}
        </ul>
      )}
      {passkeyBrowser.isSupported() ? (
        <Button isBlocked={isBusy} onClick={() => void act(() => addPasskey(account))}>
          Add a passkey
        </Button>
      ) : (
        <p className="text-xs text-muted">This browser has no passkeys.</p>
      )}
    </AccountSection>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly isBusy: boolean
  readonly onName: (name: string) => Promise<void>
  readonly onRemove: () => Promise<void>
}

function PasskeyRow({ passkey, onName, ...row }: PasskeyRowProps) {
  const [isNaming, setNaming] = useState(false)
  const { name } = passkey
  if (isNaming) {
    return (
      <li className="p-2.5">
        <form
          noValidate
          className="flex flex-wrap items-end gap-2"
          onSubmit={async event => {
            event.preventDefault()
            const typed = String(new FormData(event.currentTarget).get('passkey-name') ?? '')
            await onName(typed)
            setNaming(false)
          }}
        >
          <div className="min-w-40 flex-1">
            <TextField label="Name" name="passkey-name" autoFocus defaultValue={name} maxLength={64} />
          </div>
          <Button type="submit" variant="primary" aria-disabled={row.isBusy}>
            Save
          </Button>
          <Button onClick={() => setNaming(false)}>Cancel</Button>
        </form>
      </li>
    )
  }
  return (
    <RemovableRow
      {...row}
      name={name}
      question={`Remove ${name}? It signs you in no more.`}
      action="Remove passkey"
    >
      <span className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </span>
      <Button variant="ghost" size="icon" aria-label={`Rename ${name}`} onClick={() => setNaming(true)}>
        <Pencil size={14} aria-hidden />
      </Button>
    </RemovableRow>
  )
}
