import type { SessionState } from '@lapwing/identity-client/session-keeper'
import { ListVideo, LogOut, Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useRef, useState } from 'react'
import useSWR from 'swr'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import type { Account } from './account.ts'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { PreferencesForm } from './PreferencesForm.tsx'
import { SecurityDialog } from './SecurityDialog.tsx'
import { shortAddress } from './short-address.ts'
import { signOut } from './sign-out.ts'
import { UsernameDialog } from './UsernameDialog.tsx'
import { UsernameField } from './UsernameField.tsx'
import { usernameKey } from './username-key.ts'
import { offersUsername } from './username-marks.ts'

interface AccountMenuProps {
  readonly account: Account
  readonly state: Extract<SessionState, { status: 'signed-in' }>
  /** Absent if laps cannot be shown. */
  readonly onYourLaps?: (() => void) | undefined
  /** Called after a new name was saved. */
  readonly onRenamed?: ((username: string) => void) | undefined
}

/** Retries of the request for the name, and milliseconds before the first. SWR doubles the wait. */
const NAME_RETRIES = 5
const NAME_RETRY_MS = 1000

/** The settings of the signed-in driver. While the name is a generated one, a field offers to change it. */
export function AccountMenu({ account, state, onYourLaps, onRenamed }: AccountMenuProps) {
  const { user } = state
  const { userId } = state.session
  // Nothing else requests the name again, so one failed call must not be the last.
  const { data, mutate } = useSWR(usernameKey(userId), () => account.api.getUsername(), {
    shouldRetryOnError: true,
    errorRetryInterval: NAME_RETRY_MS,
    errorRetryCount: NAME_RETRIES,
  })
  const [isOpen, setOpen] = useState(false)
  const [isSigningOut, setSigningOut] = useState(false)
  const [dialog, setDialog] = useState<'username' | 'security' | 'delete' | null>(null)
  const settingsButton = useRef<HTMLButtonElement>(null)
  const username = data?.username ?? null
  // An account that a code by text or a wallet created has no mail address.
  const wallet = user?.crypto_wallets[0]?.crypto_wallet_address
  const contact = user?.emails[0]?.email ?? user?.phone_numbers[0]?.phone_number ?? wallet
  const shownContact = contact !== undefined && contact === wallet ? shortAddress(wallet) : contact
  /** Closes the settings for a dialog. */
  const leaveFor = (open: () => void) => {
    // Restores the focus before the dialog takes it. The popover restores it later, when the driver may be typing.
    settingsButton.current?.focus()
    setOpen(false)
    open()
  }
  const rules = username !== null && {
    account,
    userId,
    username,
    onSaved(saved: string) {
      void mutate({ username: saved, is_default: false }, { revalidate: false })
      onRenamed?.(saved)
    },
  }

  return (
    <>
      {rules && data && offersUsername(data, userId, account.usernameMarks) && (
        <>
          <div className="hidden xl:block">
            <UsernameField
              {...rules}
              onSaved={saved => {
                rules.onSaved(saved)
                // The field is removed, and its focus would be lost.
                settingsButton.current?.focus()
              }}
            />
          </div>
          <Button
            className="max-sm:h-11! max-sm:flex-col max-sm:gap-0.5! max-sm:px-1.5! xl:hidden"
            onClick={() => setDialog('username')}
            aria-label="Update Username"
          >
            <Pencil size={14} aria-hidden className="sm:hidden" />
            <span aria-hidden="true" className="font-medium text-[10px] leading-3 sm:hidden">
              Username
            </span>
            <span className="max-sm:hidden">Update Username</span>
          </Button>
        </>
      )}
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger asChild ref={settingsButton}>
          <Button title="Settings" className="one:h-11! one:flex-col one:gap-0! one:px-1.5!">
            <span
              aria-hidden="true"
              className="grid size-5 place-items-center rounded-full bg-accent text-[11px] font-semibold text-on-accent uppercase"
            >
              {(username ?? user?.emails[0]?.email ?? '·').slice(0, 1)}
            </span>
            {username === null ? (
              <span className="one:text-[10px] one:leading-3">Settings</span>
            ) : (
              <>
                <span className="sr-only">Settings of </span>
                <span className="max-w-32 truncate one:max-w-14 one:text-[10px] one:leading-3">
                  {username}
                </span>
              </>
            )}
          </Button>
        </Popover.Trigger>
        <MenuPanel
          label="Settings"
          className="max-h-(--radix-popover-content-available-height) w-[min(300px,calc(100vw-24px))] overflow-y-auto p-4"
        >
          <p className="text-xs font-semibold text-muted">Signed in as</p>
          <p className="truncate" title={contact}>
            {shownContact ?? '…'}
          </p>
          <div className="mt-3 flex items-center justify-between gap-2">
            <div className="min-w-0">
              <p className="text-xs font-semibold text-muted">Username</p>
              <p className="truncate font-semibold">{username ?? '…'}</p>
            </div>
            <Button
              size="icon"
              aria-label="Edit username"
              disabled={username === null}
              onClick={() => leaveFor(() => setDialog('username'))}
            >
              <Pencil size={14} aria-hidden />
            </Button>
          </div>
          {onYourLaps && (
            <Button className="mt-3 w-full" onClick={() => leaveFor(onYourLaps)}>
              <ListVideo size={15} aria-hidden />
              Your saved laps
            </Button>
          )}
          <hr className="my-3 border-line" />
          <PreferencesForm account={account} userId={userId} user={user} />
          <hr className="my-3 border-line" />
          <Button className="mb-1 w-full" onClick={() => leaveFor(() => setDialog('security'))}>
            <ShieldCheck size={15} aria-hidden />
            Sign-in and security
          </Button>
          <Button
            className="w-full"
            isBlocked={isSigningOut}
            onClick={async () => {
              setSigningOut(true)
              await signOut(account)
              setSigningOut(false)
            }}
          >
            <LogOut size={15} aria-hidden />
            Sign out
          </Button>
          <Button
            variant="ghost"
            className="mt-1 w-full"
            disabled={username === null}
            onClick={() => leaveFor(() => setDialog('delete'))}
          >
            <Trash2 size={14} aria-hidden />
            Delete account
          </Button>
        </MenuPanel>
      </Popover.Root>
      <SecurityDialog
        account={account}
        userId={userId}
        open={dialog === 'security'}
        onOpenChange={open => setDialog(open ? 'security' : null)}
      />
      {rules && (
        <>
          <UsernameDialog
            {...rules}
            open={dialog === 'username'}
            onOpenChange={open => setDialog(open ? 'username' : null)}
          />
          <DeleteAccountDialog
            account={account}
            username={rules.username}
            open={dialog === 'delete'}
            onOpenChange={open => setDialog(open ? 'delete' : null)}
          />
        </>
      )}
    </>
  )
}
