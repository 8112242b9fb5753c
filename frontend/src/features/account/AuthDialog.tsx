import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { Dialog } from '#shared/ui/Dialog.tsx'
import type { Account } from './account.ts'
import { type AuthTab, authTab } from './auth-tab.ts'
import { endSignIn } from './end-sign-in.ts'
import { ForgotPanel } from './ForgotPanel.tsx'
import { LogInForm } from './LogInForm.tsx'
import { SecondFactorPanel } from './SecondFactorPanel.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import type { PendingSignIn } from './second-factor.ts'
import { WhyJoin } from './WhyJoin.tsx'

interface AuthDialogProps {
  readonly account: Account
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The tab to open; the last one used if absent. */
  readonly tab?: AuthTab | undefined
  /** False if this deployment has no accounts. */
  readonly isAvailable: boolean
  /** Called when a form starts and stops sending. The new session must not close the dialog meanwhile. */
  readonly onBusy: (isBusy: boolean) => void
  /** Called after the driver is signed in, the name is saved and the dialog is closed. */
  readonly onSignedIn: () => void
}

/** The dialog for signing up, signing in and requesting a new password. */
export function AuthDialog(props: AuthDialogProps) {
  const { account, open, onOpenChange, tab, isAvailable, onBusy, onSignedIn } = props
  const last = useStore(authTab)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={(tab ?? last) === 'signup' ? 'Sign up' : 'Log in'}
      hideTitle
      fromTop
      width="w-[440px] md:w-[600px] lg:w-[900px]"
    >
      <div className="grid lg:grid-cols-2">
        <div className="p-5 md:p-7 lg:min-h-[560px]">
          {isAvailable ? (
            <Panels
              account={account}
              first={tab ?? last}
              onBusy={onBusy}
              onDone={() => endSignIn({ onOpenChange, onSignedIn })}
            />
          ) : (
            <>
              <p className="text-sm font-semibold">Accounts are not available here.</p>
              <p className="mt-1.5 text-muted">
                You can read files and look at every lap without one. Saving laps, the leaderboard and
                comparing need an account.
              </p>
            </>
          )}
        </div>
        <WhyJoin />
      </div>
    </Dialog>
  )
}

const tabs: readonly { readonly value: AuthTab; readonly label: string }[] = [
  { value: 'signup', label: 'Sign up' },
  { value: 'login', label: 'Log in' },
]

const toggles: Readonly<
  Record<AuthTab, { readonly question: string; readonly other: AuthTab; readonly label: string }>
> = {
  signup: { question: 'Already have an account?', other: 'login', label: 'Log in' },
  login: { question: 'New to Lapwing?', other: 'signup', label: 'Sign up' },
}

interface PanelsProps {
  readonly account: Account
  readonly first: AuthTab
  readonly onBusy: (isBusy: boolean) => void
  readonly onDone: () => void
}

function Panels({ account, first, onBusy, onDone }: PanelsProps) {
  const [tab, setTab] = useState(first)
  const [isForgotten, setForgotten] = useState(false)
  const [isBack, setBack] = useState(false)
  const [email, setEmail] = useState('')
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const choose = (next: AuthTab) => {
    setBack(false)
    authTab.set(next)
    setTab(next)
  }
  if (pending !== null) {
    return (
      <SecondFactorPanel
        account={account}
        pending={pending}
        onBusy={onBusy}
        onDone={onDone}
        onBack={() => setPending(null)}
      />
    )
  }
  if (isForgotten) {
    return (
      <ForgotPanel
        account={account}
        email={email}
        onEmailChange={setEmail}
        onBack={() => {
          setBack(true)
          setForgotten(false)
        }}
      />
    )
  }
  const { question, other, label } = toggles[tab]
  return (
    <Tabs.Root value={tab} onValueChange={value => choose(value as AuthTab)}>
      <Tabs.List
        aria-label="Account"
        className="inline-flex h-8 overflow-hidden rounded-control border border-line pointer-coarse:h-11"
      >
        {tabs.map(({ value, label }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="cursor-pointer px-3 font-medium text-muted -outline-offset-2 hover:text-text data-[state=active]:bg-raised data-[state=active]:text-text [&+&]:border-l [&+&]:border-line"
          >
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="signup" tabIndex={-1} className="mt-4 outline-none">
        <SignUpForm account={account} onBusy={onBusy} onDone={onDone} onSecondFactor={setPending} />
      </Tabs.Content>
      <Tabs.Content value="login" tabIndex={-1} className="mt-4 outline-none">
        <LogInForm
          account={account}
          email={email}
          onEmailChange={setEmail}
          onForgot={() => setForgotten(true)}
          onSecondFactor={setPending}
          isBack={isBack}
          onBusy={onBusy}
          onDone={onDone}
        />
      </Tabs.Content>
      <p className="mt-3 text-center text-muted">
        {question}{' '}
        <button
          type="button"
          onClick={() => choose(other)}
          className="min-h-6 cursor-pointer rounded-sm font-semibold text-accent hover:underline pointer-coarse:min-h-11"
        >
          {label}
        </button>
      </p>
    </Tabs.Root>
  )
}
