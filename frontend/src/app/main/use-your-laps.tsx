import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { usePageDeps } from '../page-deps.ts'
import { SignedIn } from '../SignedIn.tsx'

/** The dialog with the driver's saved laps, and the way to open it. */
export function useYourLaps(): { readonly open: () => void; readonly dialog: ReactNode } {
  const { myLaps, boards, account } = usePageDeps()
  const [isOpen, setOpen] = useState(false)
  // Its code comes when it is first opened, and then stays.
  const [wasOpen, setWasOpen] = useState(false)
  const open = useCallback(() => {
    setWasOpen(true)
    setOpen(true)
  }, [])
  const dialog = wasOpen && (
    <SignedIn>
      {() => (
        <Suspense>
          <MyLapsDialog
            open={isOpen}
            onOpenChange={setOpen}
            api={myLaps}
            tell={account.tell}
            onRemoved={boards.refresh}
          />
        </Suspense>
      )}
    </SignedIn>
  )
  return { open, dialog }
}

const MyLapsDialog = lazy(async () => ({
  default: (await import('#features/my-laps/MyLapsDialog.tsx')).MyLapsDialog,
}))
