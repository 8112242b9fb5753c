import { type ReactNode, useCallback, useState } from 'react'
import type { MyLap } from '#features/my-laps/my-laps-api.ts'
import { combinationOf, isSameBoard } from '#shared/boards/combination.ts'
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
  const { signedIn, boards, account, upload, compare, fetchReference } = usePageDeps()
  const { session } = useStore(upload)
  const { status } = useSession()
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  // Visitors without an account do not need its code.
  const { part: RecentLaps } = useLazyPart(loadRecentLaps, status === 'signed-in' && session === null)

  const combination = session && combinationOf(session.preview.meta)
  const openLap = async (lap: MyLap) => {
    const { savedLapName } = await import('#features/my-laps/lap-moment.ts')
    const load = async () => {
      // The code of this and of comparing is the same.
      const { readSavedLap } = await import('#features/my-laps/read-saved-lap.ts')
      return readSavedLap(lap, fetchReference)
    }
    return upload.openLap({ lapId: lap.lap_id, name: savedLapName(lap), load })
  }
  const compareWith = async (lap: MyLap) => {
    const { savedLapName } = await import('#features/my-laps/lap-moment.ts')
    const row = { lap_id: lap.lap_id, display_name: `Your ${savedLapName(lap)}` }
    return compare.use(row, lap.combination, 'board')
  }
  const dialog = (
    <SignedIn>
      {() => (
        <MyLapsDialog
          open={isOpen}
          onOpenChange={setOpen}
          signedIn={signedIn}
          notify={account.notify}
          onRemoved={boards.refresh}
          onOpen={openLap}
          canCompare={lap =>
            lap.has_reference && combination !== null && isSameBoard(lap.combination, combination)
          }
          onCompare={compareWith}
          openLapId={session?.savedLapId ?? null}
        />
      )}
    </SignedIn>
  )
  const recent = RecentLaps && (
    <SignedIn>
      {({ session: { userId } }) => (
        <RecentLaps signedIn={signedIn} userId={userId} onOpen={openLap} onYourLaps={open} />
      )}
    </SignedIn>
  )
  return { open, dialog, recent }
}

const MyLapsDialog = lazyDialog(
  'Your saved laps',
  async () => (await import('#features/my-laps/MyLapsDialog.tsx')).MyLapsDialog,
)

const loadRecentLaps = async () => (await import('#features/my-laps/RecentLaps.tsx')).RecentLaps
