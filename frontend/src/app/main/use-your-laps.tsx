import { type ReactNode, useCallback, useState } from 'react'
import { lazyDialog } from '#shared/ui/lazy-dialog.tsx'
import { usePageDeps } from '../page-deps.ts'
import { SignedIn } from '../SignedIn.tsx'

/** Returns the dialog with the driver's saved laps, and the function that opens it. */
export function useYourLaps(): { readonly open: () => void; readonly dialog: ReactNode } {
  const { signedIn, boards, account } = usePageDeps()
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  const dialog = (
    <SignedIn>
      {() => (
        <MyLapsDialog
          open={isOpen}
          onOpenChange={setOpen}
          signedIn={signedIn}
          notify={account.notify}
          onRemoved={boards.refresh}
        />
      )}
    </SignedIn>
  )
  return { open, dialog }
}

const MyLapsDialog = lazyDialog(
  'Your laps',
  async () => (await import('#features/my-laps/MyLapsDialog.tsx')).MyLapsDialog,
)
