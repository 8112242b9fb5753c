import { Tabs } from 'radix-ui'
import { usePreference } from '#shared/storage/use-preference.ts'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { type AuthTab, authTab } from './auth-tab.ts'
import { WhyJoin } from './WhyJoin.tsx'

export interface AuthDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

const tabs: readonly { readonly value: AuthTab; readonly label: string }[] = [
  { value: 'signup', label: 'Sign up' },
  { value: 'login', label: 'Log in' },
]

/** The frame of the auth dialog on the tab used last, signup the first time. Accounts are not part of this build yet, and it says so. */
export function AuthDialog({ open, onOpenChange }: AuthDialogProps) {
  const tab = usePreference(authTab)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={tab === 'signup' ? 'Sign up' : 'Log in'}
      hideTitle
      width="w-[440px] md:w-[600px] lg:w-[900px]"
    >
      <div className="grid lg:grid-cols-2">
        <Tabs.Root
          value={tab}
          onValueChange={value => authTab.set(value as AuthTab)}
          className="p-5 md:p-7 lg:min-h-[420px]"
        >
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
          {tabs.map(({ value }) => (
            <Tabs.Content key={value} value={value} className="mt-5 rounded-control">
              <p className="text-sm font-semibold">Accounts are not available in this build yet.</p>
              <p className="mt-1.5 text-muted">
                You can read files and look at every lap without one. Saving laps, the leaderboard and
                comparing need an account and will open here.
              </p>
            </Tabs.Content>
          ))}
        </Tabs.Root>
        <WhyJoin />
      </div>
    </Dialog>
  )
}
