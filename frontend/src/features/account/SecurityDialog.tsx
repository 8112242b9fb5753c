import { createIdp } from '@lapwing/identity-client/idp'
import { createOrganizations } from '@lapwing/identity-client/organizations'
import { createPhoneCodes } from '@lapwing/identity-client/phone'
import { createSessions } from '@lapwing/identity-client/sessions'
import { createUsers } from '@lapwing/identity-client/users'
import { createWallets } from '@lapwing/identity-client/wallets'
import { useState } from 'react'
import useSWR from 'swr'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { AddressSection } from './AddressSection.tsx'
import { AppSection } from './AppSection.tsx'
import type { Account } from './account.ts'
import { ConfirmItIsYou } from './ConfirmItIsYou.tsx'
import { ConnectedAppsSection } from './ConnectedAppsSection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PhoneSection } from './PhoneSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { SocialSection } from './SocialSection.tsx'
import { needsRecentSignIn, needsSecondFactor } from './second-factor.ts'
import type { RunAction } from './section-props.ts'
import { WalletSection } from './WalletSection.tsx'

interface SecurityDialogProps {
  readonly account: Account
  readonly userId: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/**
 * The ways into the account that the driver can add and remove, its connected apps, and its sessions. A driver whose
 * last sign-in is older than five minutes confirms first that it is them.
 */
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
      <Ways {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface WaysProps extends Pick<SecurityDialogProps, 'account' | 'userId'> {
  readonly onClose: () => void
}

function Ways({ account, userId, onClose }: WaysProps) {
  /** Whether the ways were loaded since the dialog opened. What an earlier dialog loaded does not count. */
  const [isLoaded, setLoaded] = useState(false)
  const {
    data: ways,
    error,
    mutate,
    isValidating,
  } = useSWR(
    ['ways', userId],
    async () => {
      const { client } = account
      const [user, phoneCodes, walletTypes, apps, organizations, sessions] = await Promise.all([
        createUsers(client).get(),
        createPhoneCodes(client).offered(),
        createWallets(client).types(),
        createIdp(client).apps(),
        createOrganizations(client).own(),
        createSessions(client).list(),
      ])
      return { user, phoneCodes, walletTypes, apps, organizations, sessions }
    },
    {
      // Each opening asks the service, which knows how old the last sign-in is.
      dedupingInterval: 0,
      onSuccess: () => setLoaded(true),
      shouldRetryOnError: problem => !needsRecentSignIn(problem),
    },
  )
  const [problem, setProblem] = useState<string | null>(null)
  /** The action that waits until the driver has confirmed that it is them. */
  const [waiting, setWaiting] = useState<{
    readonly action: () => Promise<void>
    readonly needsApp: boolean
  } | null>(null)
  const isLocked = !isLoaded && needsRecentSignIn(error)

  const run: RunAction = async action => {
    setProblem(null)
    try {
      // Refused if the last sign-in is too old. The protocol's own calls do not check that.
      await createSessions(account.client).list()
      await action()
    } catch (error) {
      const needsApp = needsSecondFactor(error)
      if (needsApp || needsRecentSignIn(error)) setWaiting({ action, needsApp })
      else setProblem(errorText(error, 'That did not work. Please try again.'))
    }
    await mutate()
  }

  return (
    <div className="px-5 pt-3 pb-5">
      {(waiting !== null || isLocked) && (
        <ConfirmItIsYou
          account={account}
          userId={userId}
          needsApp={waiting?.needsApp ?? false}
          onDone={async () => {
            setWaiting(null)
            if (waiting === null) await mutate()
            else await run(waiting.action)
          }}
          onCancel={waiting === null ? onClose : () => setWaiting(null)}
        />
      )}
      {/* Only hidden, because the waiting action shows its outcome here. */}
      <div hidden={waiting !== null || isLocked} className="space-y-3">
        {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
        {ways ? (
          <>
            <AddressSection account={account} user={ways.user} run={run} />
            <AppSection account={account} user={ways.user} run={run} />
            <PasskeySection account={account} user={ways.user} run={run} />
            <PhoneSection account={account} user={ways.user} offered={ways.phoneCodes} run={run} />
            <SocialSection account={account} user={ways.user} organizations={ways.organizations} run={run} />
            <WalletSection account={account} user={ways.user} offered={ways.walletTypes} run={run} />
            {ways.apps !== null && <ConnectedAppsSection account={account} apps={ways.apps} run={run} />}
            {ways.sessions !== null && (
              <SessionsSection account={account} sessions={ways.sessions} run={run} />
            )}
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
