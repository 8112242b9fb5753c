import type { NewTotp } from '@lapwing/identity-client/contract'
import { createTotps } from '@lapwing/identity-client/totps'
import { useState } from 'react'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { AppSetup } from './AppSetup.tsx'
import type { Account } from './account.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { addSecondFactor, type PendingSignIn } from './second-factor.ts'
import { saveNewName } from './sign-up.ts'

interface SecondStepProps {
  readonly account: Account
  readonly pending: PendingSignIn
  readonly onBusy?: (isBusy: boolean) => void
  /** Called when the driver is signed in and the name is saved. */
  readonly onDone: () => void
}

/** Completes a sign-in: asks for the second factor, or sets up the account's first app. */
export function SecondStep(props: SecondStepProps) {
  const { account, pending, onBusy, onDone } = props
  if (pending.needsApp) return <FirstApp {...props} />
  return (
    <SecondFactorForm
      onBusy={onBusy}
      onSend={async factor => {
        if (await addSecondFactor(account, pending, factor)) onDone()
      }}
    />
  )
}

/** Shows the recovery codes before the app is confirmed: afterwards the driver is signed in and the form closes. */
function FirstApp({ account, pending, onBusy, onDone }: SecondStepProps) {
  const [app, setApp] = useState<NewTotp | null>(null)
  const [areCodesSaved, setCodesSaved] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const create = async () => {
    setBusy(true)
    setProblem(null)
    try {
      setApp(await createTotps(account.client).create({}, pending.token || null))
    } catch (error) {
      setProblem(errorText(error, 'That did not work. Please try again.'))
    }
    setBusy(false)
  }

  if (app === null) {
    return (
      <div className="space-y-2.5">
        <p className="text-muted">
          Everybody here signs in with an authenticator app on their phone, too. Set it up now; it takes a
          minute.
        </p>
        {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
        <Button autoFocus variant="primary" size="wide" isBlocked={isBusy} onClick={() => void create()}>
          Set up authenticator app
        </Button>
      </div>
    )
  }
  if (!areCodesSaved) {
    return <RecoveryCodes account={account} codes={app.recovery_codes} onDone={() => setCodesSaved(true)} />
  }
  return (
    <AppSetup
      account={account}
      app={app}
      pending={pending}
      onBusy={onBusy}
      onConfirmed={async () => {
        if (pending.newName) await saveNewName(account, pending.newName)
        onDone()
      }}
      onCancel={() => {
        setApp(null)
        setCodesSaved(false)
      }}
    />
  )
}
