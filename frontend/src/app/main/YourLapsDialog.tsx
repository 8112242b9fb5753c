import { savedLapName } from '#features/my-laps/lap-moment.ts'
import { MyLapsDialog } from '#features/my-laps/MyLapsDialog.tsx'
import { combinationOf, isSameBoard } from '#shared/boards/combination.ts'
import { useStore } from '#shared/store/use-store.ts'
import { usePageDeps } from '../page-deps.ts'
import { useOpenLap } from './use-open-lap.ts'

interface YourLapsDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** The driver's saved laps, which open and can be compared with the open session. */
export function YourLapsDialog(props: YourLapsDialogProps) {
  const { signedIn, boards, account, upload, compare } = usePageDeps()
  const { session } = useStore(upload)
  const openLap = useOpenLap()
  const combination = session && combinationOf(session.preview.meta)
  return (
    <MyLapsDialog
      {...props}
      signedIn={signedIn}
      notify={account.notify}
      onRemoved={boards.refresh}
      onOpen={openLap}
      canCompare={lap =>
        lap.has_reference && combination !== null && isSameBoard(lap.combination, combination)
      }
      onCompare={lap => {
        const row = { lap_id: lap.lap_id, display_name: `Your ${savedLapName(lap)}` }
        return compare.use(row, lap.combination, 'board')
      }}
      openLapId={session?.savedLap?.lapId ?? null}
    />
  )
}
