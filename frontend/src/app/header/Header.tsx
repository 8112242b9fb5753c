import type { Preview } from '@lapwing/telemetry'
import { LogIn, RotateCw } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#shared/ui/Button.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { usePageDeps } from '../page-deps.ts'
import { SignedIn } from '../SignedIn.tsx'
import { useSession } from '../use-session.ts'
import { DisplayMenu } from './DisplayMenu.tsx'
import { SessionHeading } from './SessionHeading.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

interface HeaderProps {
  readonly preview?: Preview | undefined
  /** Undefined if there are no accounts. */
  readonly onSignIn?: (() => void) | undefined
  /** Opens the driver's saved laps; undefined if that is not possible. */
  readonly onYourLaps?: (() => void) | undefined
}

/** The top of every page. It stays while cards scroll; on narrow screens the title has its own line. */
export function Header({ preview, onSignIn, onYourLaps }: HeaderProps) {
  const { account, boards } = usePageDeps()
  const { status } = useSession()
  // Visitors without an account do not need its code.
  const { part: AccountMenu, ...late } = useLazyPart(loadAccountMenu, status === 'signed-in')
  return (
    <header className="sticky top-0 z-30 low:static grid grid-cols-[auto_1fr] items-center gap-x-4 border-b border-line bg-card px-4 max-sm:gap-x-2 lg:grid-cols-[1fr_auto_1fr] low:flex">
      <Link
        to="/"
        className="flex h-[51px] items-center gap-2 justify-self-start rounded-control text-[15px] font-semibold"
      >
        <LapwingMark size={24} />
        Lapwing
      </Link>
      <div className="col-span-2 row-start-2 min-w-0 empty:hidden low:grow low:*:pb-0 lg:col-span-1 lg:col-start-2 lg:row-start-1 lg:text-center">
        {preview && <SessionHeading preview={preview} />}
      </div>
      <nav
        aria-label="Page"
        className="flex items-center gap-2 justify-self-end max-sm:-mr-1 max-sm:gap-1 lg:col-start-3"
      >
        <SignedIn
          fallback={
            onSignIn && (
              <Button variant="primary" onClick={onSignIn}>
                <LogIn size={15} aria-hidden className="max-sm:hidden" />
                Sign in
              </Button>
            )
          }
        >
          {state =>
            AccountMenu ? (
              <AccountMenu
                key={state.session.userId}
                account={account}
                state={state}
                onYourLaps={onYourLaps}
                onRenamed={name => boards.rename(state.session.userId, name)}
              />
            ) : (
              late.isFailed && (
                <Button
                  title="Your settings could not be loaded."
                  isBlocked={late.isLoading}
                  onClick={late.retry}
                >
                  <RotateCw size={14} aria-hidden />
                  Retry settings
                </Button>
              )
            )
          }
        </SignedIn>
        <DisplayMenu />
        <ThemeSwitch />
      </nav>
    </header>
  )
}

const loadAccountMenu = async () => (await import('#features/account/AccountMenu.tsx')).AccountMenu
