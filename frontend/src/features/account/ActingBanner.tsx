import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import type { Account } from './account.ts'
import { signOut } from './sign-out.ts'

interface ActingBannerProps {
  readonly account: Account
  /** Mail address of the operator. */
  readonly impersonator: string
}

/** Shows an operator, at the bottom of every page, that they act for a driver. Ends it on request. */
export function ActingBanner({ account, impersonator }: ActingBannerProps) {
  const [isEnding, setEnding] = useState(false)
  return (
    <aside
      aria-label="Acting for a driver"
      className="sticky bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-3 gap-y-1.5 border-t-2 border-accent bg-card px-4 py-2 text-sm"
    >
      <Eye size={16} aria-hidden className="shrink-0 text-accent" />
      <p className="min-w-0 wrap-anywhere">
        {impersonator} sees Lapwing as this driver does. Nothing can be changed.
      </p>
      <Button
        isBlocked={isEnding}
        onClick={async () => {
          setEnding(true)
          await signOut(account)
          setEnding(false)
        }}
      >
        End
      </Button>
    </aside>
  )
}
