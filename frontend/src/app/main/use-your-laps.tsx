import { type ReactNode, useCallback, useState } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { lazyDialog } from '#shared/ui/lazy-dialog.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { usePageDeps } from '../page-deps.ts'
import { SignedIn } from '../SignedIn.tsx'
import { useSession } from '../use-session.ts'

interface YourLaps {
  /** Opens the dialog. */
  readonly open: () => void
  /** The dialog with the driver's saved laps. */
  readonly dialog: ReactNode
  /** The card with the last ones; empty for visitors. */
  readonly recent: ReactNode
}

/** Returns the driver's saved laps as a dialog, and the last of them as a card of the start page. */
export function useYourLaps(): YourLaps {
  const { upload } = usePageDeps()
  const { session } = useStore(upload)
  const { status } = useSession()
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  // Visitors without an account do not need its code.
  const { part: Recent } = useLazyPart(loadRecent, status === 'signed-in' && session === null)
  return {
    open,
    dialog: <SignedIn>{() => <YourLapsDialog open={isOpen} onOpenChange={setOpen} />}</SignedIn>,
    recent: Recent && (
      <SignedIn>{state => <Recent userId={state.session.userId} onYourLaps={open} />}</SignedIn>
    ),
  }
}

const YourLapsDialog = lazyDialog(
  'Your saved laps',
  async () => (await import('./YourLapsDialog.tsx')).YourLapsDialog,
)

const loadRecent = async () => (await import('./YourRecentLaps.tsx')).YourRecentLaps
