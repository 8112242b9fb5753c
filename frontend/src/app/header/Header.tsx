import type { Preview } from '@lapwing/telemetry'
import { LogIn } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#shared/ui/Button.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import { DisplayMenu } from './DisplayMenu.tsx'
import { SessionHeading } from './SessionHeading.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

export interface HeaderProps {
  readonly preview?: Preview | undefined
  /** Absent where there is nothing to sign in to. */
  readonly onSignIn?: (() => void) | undefined
}

/** The top of every page. It stays while cards scroll; on narrow screens the title takes a line of its own. */
export function Header({ preview, onSignIn }: HeaderProps) {
  return (
    <header className="sticky top-0 z-30 grid grid-cols-[auto_1fr] items-center gap-x-4 border-b border-line bg-card px-4 lg:grid-cols-[1fr_auto_1fr]">
      <Link
        to="/"
        className="flex h-[51px] items-center gap-2 justify-self-start rounded-control text-[15px] font-semibold"
      >
        <LapwingMark size={24} />
        Lapwing
      </Link>
      <div className="col-span-2 row-start-2 min-w-0 empty:hidden lg:col-span-1 lg:col-start-2 lg:row-start-1 lg:text-center">
        {preview && <SessionHeading preview={preview} />}
      </div>
      <nav aria-label="Page" className="flex items-center gap-2 justify-self-end lg:col-start-3">
        {onSignIn && (
          <Button variant="primary" onClick={onSignIn}>
            <LogIn size={15} aria-hidden className="max-sm:hidden" />
            Sign in
          </Button>
        )}
        <DisplayMenu />
        <ThemeSwitch />
      </nav>
    </header>
  )
}
