import { useCallback, useState } from 'react'
import { NOT_SHARED } from '#features/compare/compare-store.ts'
import { LeaderboardCard } from '#features/leaderboard/LeaderboardCard.tsx'
import { boardWaitOf } from '#features/save-lap/board-wait-of.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import type { Combination } from '#shared/boards/combination.ts'
import { useStore } from '#shared/store/use-store.ts'
import { lazyDialog } from '#shared/ui/lazy-dialog.tsx'
import { usePageDeps } from '../page-deps.ts'

interface SessionBoardProps {
  readonly userId: string
  readonly combination: Combination | null
  readonly isSample: boolean
  /** Nothing of the session is being saved: it is a saved lap, or it has partial laps only. */
  readonly isUnsaved: boolean
  readonly onYourLaps: () => void
}

/** The leaderboard of the loaded file: its card and the full board, whose laps can be references. */
export function SessionBoard({ userId, combination, isSample, isUnsaved, onYourLaps }: SessionBoardProps) {
  const { boards, saveLap, fileOwner, compare } = usePageDeps()
  const saved = useStore(saveLap)
  const owner = useStore(fileOwner)
  const [isOpen, setOpen] = useState(false)
  const showFull = useCallback(() => setOpen(true), [])
  const { refused } = useStore(compare)
  const canUse = () => combination !== null && compare.canUse(combination)
  const whyNot = ({ lap_id, reference_available }: BoardRow) =>
    refused.has(lap_id) || !reference_available ? NOT_SHARED : null
  const use = useCallback(
    async (row: BoardRow) => combination !== null && compare.use(row, combination, 'board'),
    [compare, combination],
  )
  return (
    <>
      <LeaderboardCard
        boards={boards}
        userId={userId}
        combination={combination}
        wait={isSample ? { kind: 'never' } : isUnsaved ? { kind: 'past' } : boardWaitOf(saved, owner)}
        onRetry={saveLap.retry}
        onShowFull={showFull}
        onYourLaps={onYourLaps}
        canUse={row => canUse() && whyNot(row) === null}
        onUseAsReference={use}
      />
      {combination && (
        <LeaderboardDialog
          boards={boards}
          userId={userId}
          combination={combination}
          open={isOpen}
          onOpenChange={setOpen}
          canUse={canUse}
          whyNot={whyNot}
          onUseAsReference={use}
        />
      )}
    </>
  )
}

const LeaderboardDialog = lazyDialog(
  'Leaderboard',
  async () => (await import('#features/leaderboard/LeaderboardDialog.tsx')).LeaderboardDialog,
)
