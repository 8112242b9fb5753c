import type { NewTotp } from '@lapwing/identity-client/contract'
import { createTotps } from '@lapwing/identity-client/totps'
import { createUsers } from '@lapwing/identity-client/users'
import { ShieldCheck, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { AppSetup } from './AppSetup.tsx'
import { ConfirmRemoval } from './ConfirmRemoval.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

/** The authenticator app: sets it up, shows its recovery codes and removes it. */
export function AppSection({ account, user, run }: SectionProps) {
  const [created, setCreated] = useState<NewTotp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const { isBusy, act } = useBusyRun(run)
  const app = user.totps.find(({ verified }) => verified)

  return (
    <section aria-labelledby="authenticator-app" className="space-y-2.5">
      <h3 id="authenticator-app" className="flex items-center gap-2 font-semibold">
        {app ? (
          <ShieldCheck size={16} aria-hidden className="text-gain" />
        ) : (
          <Smartphone size={16} aria-hidden className="text-muted" />
        )}
        Authenticator app
        <span className="ml-auto text-xs font-medium text-muted">{app ? 'On' : 'Off'}</span>
      </h3>
      {codes ? (
        <RecoveryCodes account={account} codes={codes} onDone={() => setCodes(null)} />
      ) : created && !app ? (
        <AppSetup
          account={account}
          app={created}
          onConfirmed={() => {
            setCreated(null)
            setCodes(created.recovery_codes)
            // The state of the app has changed.
            return run(async () => {})
          }}
          onCancel={() => setCreated(null)}
        />
      ) : app ? (
        <>
          <p className="text-muted">
            Signing in with a password, a link or a provider also needs a code of the app.
          </p>
          {isRemoving ? (
            <ConfirmRemoval
              question="Remove the authenticator app? A password alone is enough then."
              action="Remove the app"
              isBusy={isBusy}
              onCancel={() => setRemoving(false)}
              onConfirm={() =>
                act(async () => {
                  setRemoving(false)
                  await createUsers(account.client).removeTotp(app.totp_id)
                  account.notify.success('Authenticator app removed')
                })
              }
            />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button
                isBlocked={isBusy}
                onClick={() =>
                  void act(async () => setCodes(await createTotps(account.client).recoveryCodes()))
                }
              >
                Show recovery codes
              </Button>
              <Button variant="danger" isBlocked={isBusy} onClick={() => setRemoving(true)}>
                Remove
              </Button>
            </div>
          )}
        </>
      ) : (
        <>
          <p className="text-muted">
            A second step at sign-in: a code of an app on your phone. Nobody gets in with your password alone.
          </p>
          <Button
            isBlocked={isBusy}
            onClick={() => void act(async () => setCreated(await createTotps(account.client).create()))}
          >
            Set up authenticator app
          </Button>
        </>
      )}
    </section>
  )
}
