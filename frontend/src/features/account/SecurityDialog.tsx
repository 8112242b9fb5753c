import { useState } from 'react'
import useSWR from 'swr'
import { errorText } from '#shared/session/identity-error.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { AddressSection } from './AddressSection.tsx'
import { AppSection } from './AppSection.tsx'
import type { Account } from './account.ts'
import { ConnectedAppsSection } from './ConnectedAppsSection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PhoneSection } from './PhoneSection.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SocialSection } from './SocialSection.tsx'
import { addSecondFactor, needsSecondFactor } from './second-factor.ts'
import type { RunAction } from './section-props.ts'
import { WalletSection } from './WalletSection.tsx'

interface SecurityDialogProps {
  readonly account: Account
  readonly userId: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** The ways into the account that the driver can add and remove, and the apps that read from it. */
export function SecurityDialog({ open, onOpenChange, ...rest }: SecurityDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign-in and security"
      width="w-[480px]"
      focusDialog
      fromTop
    >
      <Ways {...rest} />
    </Dialog>
  )
}

function Ways({ account, userId }: Pick<SecurityDialogProps, 'account' | 'userId'>) {
  const {
    data: ways,
    error,
    mutate,
    isValidating,
  } = useSWR(['ways', userId], async () => {
    const { identity } = account
    const [user, phoneCodes, walletTypes, apps, organizations] = await Promise.all([
      identity.getUser(),
      identity.phoneCodes(),
      identity.walletTypes(),
      identity.connectedApps(),
      identity.organizations(),
    ])
    return { user, phoneCodes, walletTypes, apps, organizations }
  })
  const [problem, setProblem] = useState<string | null>(null)
  /** The action that waits for the second factor. */
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null)

  const run: RunAction = async action => {
    setProblem(null)
    try {
      await action()
    } catch (error) {
      if (needsSecondFactor(error)) setWaiting(() => action)
      else setProblem(errorText(error, 'That did not work. Please try again.'))
    }
    await mutate()
  }

  return (
    <div className="px-5 pt-3 pb-5">
      {waiting !== null && (
        <div className="space-y-3">
          <h3 className="font-semibold">Confirm that it is you</h3>
          <SecondFactorForm
            onSend={async factor => {
              await addSecondFactor(account, null, factor)
              setWaiting(null)
              await run(waiting)
            }}
          />
          <Button className="w-full" onClick={() => setWaiting(null)}>
            Cancel
          </Button>
        </div>
      )}
      {/* Only hidden, because the waiting action shows its outcome here. */}
      <div hidden={waiting !== null} className="space-y-3">
        {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
        {ways ? (
          <>
            <AddressSection account={account} user={ways.user} run={run} />
            <AppSection account={account} user={ways.user} run={run} />
            <hr className="border-line" />
            <PasskeySection account={account} user={ways.user} run={run} />
            <PhoneSection account={account} user={ways.user} offered={ways.phoneCodes} run={run} />
            <SocialSection account={account} user={ways.user} organizations={ways.organizations} run={run} />
            <WalletSection account={account} user={ways.user} offered={ways.walletTypes} run={run} />
            {ways.apps !== null && <ConnectedAppsSection account={account} apps={ways.apps} run={run} />}
          </>
        ) : error ? (
          <>
            <Notice message={errorText(error, 'The settings could not be loaded.')} />
            <Button isBlocked={isValidating} onClick={() => void mutate()}>
              Retry
            </Button>
          </>
        ) : (
          <p role="status" className="py-10 text-center text-muted">
            Loading…
          </p>
        )}
      </div>
    </div>
  )
}
