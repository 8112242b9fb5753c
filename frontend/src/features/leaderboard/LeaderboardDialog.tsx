import { useCallback, useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { sentenceOf } from '#shared/api/problem.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type Combination, isSameBoard } from '#shared/boards/combination.ts'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { BoardControls } from './BoardControls.tsx'
import { BoardFooter } from './BoardFooter.tsx'
import { BoardTable } from './BoardTable.tsx'
import type { BoardPage, ReportReason } from './board-api.ts'
import { type BoardChoice, chosenFor, combinationOfChoice, goTo, offsetOfRank } from './board-choice.ts'
import { boardKeys } from './board-keys.ts'
import type { Boards } from './boards.ts'
import { useContextId, useMe } from './use-board-answers.ts'
import { useBoardPage } from './use-board-page.ts'

interface LeaderboardDialogProps {
  readonly boards: Boards
  readonly userId: string
  /** The combination of the loaded file. The dialog opens on it, and only its laps can be references. */
  readonly combination: Combination
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Returns whether laps of the file's own board can be references. */
  readonly canUse: () => boolean
  /** Returns why one lap of that board cannot be a reference; null if it can. */
  readonly whyNot: (row: BoardRow) => string | null
  /** Loads a lap as the reference. Resolves to true on success; the dialog then closes. */
  readonly onUseAsReference: (row: BoardRow) => Promise<boolean>
}

/** All boards, page by page, with the driver's own row and laps to compare with. */
export function LeaderboardDialog(props: LeaderboardDialogProps) {
  const { combination, open, onOpenChange } = props
  const [choice, setChoice] = useState(() => chosenFor(combination))
  // Each opening begins with the file's own board, whichever was shown last.
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setChoice(chosenFor(combination))
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={titleOf(choice)}
      width="w-[900px] min-[1180px]:w-[1140px]"
      focusDialog
      ownScroll
      fromTop
    >
      <Board {...props} choice={choice} onChoice={setChoice} />
    </Dialog>
  )
}

const NOT_REPORTED = 'The report could not be sent. Please try again.'

function titleOf({ track, car }: BoardChoice): string {
  const names = [track?.label, car?.label].filter(Boolean).join(' and ')
  return names === '' ? 'Leaderboard' : `Leaderboard for ${names}`
}

interface BoardProps extends LeaderboardDialogProps {
  readonly choice: BoardChoice
  readonly onChoice: (choice: BoardChoice) => void
}

function Board({ choice, onChoice, ...props }: BoardProps) {
  const { boards, userId, combination, canUse, whyNot, onUseAsReference, onOpenChange } = props
  const shown = combinationOfChoice(choice)
  const context = useContextId(boards, userId, shown)
  const me = useMe(boards, userId, context.data, { board: choice.board })
  const page = useBoardPage(boards, userId, shown, choice)
  const total = useKnownTotal(userId, context.data, choice)
  const [notice, setNotice] = useState('')
  const { wantRank, ownRow } = useFindMe(page.data?.offset)

  const change = (next: BoardChoice) => {
    setNotice('')
    onChoice(next)
  }
  const findMe = () => {
    const rank = me.data?.me?.rank
    if (rank === undefined) return setNotice('You have no lap on this leaderboard yet.')
    setNotice('')
    onChoice(goTo(choice, offsetOfRank(rank)))
    wantRank(offsetOfRank(rank))
  }
  const refresh = () => {
    // The table shows what could not be loaded.
    for (const fetch of [context.mutate, me.mutate, page.mutate]) fetch().catch(() => {})
  }
  const isOwnBoard = shown !== null && isSameBoard(shown, combination)
  const [isReporting, setReporting] = useState(false)
  const report = async (row: BoardRow, reason: ReportReason) => {
    try {
      await boards.api.report({ lapId: row.lap_id, reason })
      setReporting(false)
      setNotice('Reported. A moderator will look at it.')
    } catch (error) {
      setNotice(sentenceOf(error, NOT_REPORTED))
    }
  }
  const [usedLapId, setUsedLapId] = useState<string | null>(null)
  const use = useCallback(
    async (row: BoardRow) => {
      setUsedLapId(row.lap_id)
      const isLoaded = await onUseAsReference(row)
      setUsedLapId(null)
      if (isLoaded) onOpenChange(false)
    },
    [onOpenChange, onUseAsReference],
  )
  const canFindMe = shown !== null && (context.data === null || me.data !== undefined)

  return (
    // Only the table scrolls; controls and footer stay in view.
    <div className="flex min-h-0 flex-col gap-2.5 px-5 pt-3 pb-4 max-sm:gap-2 max-sm:px-3 max-sm:pb-3">
      <BoardControls
        boards={boards}
        userId={userId}
        choice={choice}
        onChoice={change}
        isBusy={page.isValidating}
        onRefresh={refresh}
        onFindMe={canFindMe ? findMe : null}
      />
      <p role="status" className="text-xs text-warning empty:hidden">
        {notice}
      </p>
      <BoardTable
        page={page}
        expectedRows={total}
        choice={choice}
        userId={userId}
        ownRow={ownRow}
        usedLapId={usedLapId}
        canUse={() => isOwnBoard && canUse()}
        whyNot={whyNot}
        onUse={use}
        onReport={isReporting ? report : null}
      />
      <BoardFooter
        page={page.data}
        offset={choice.offset}
        onOffset={offset => change(goTo(choice, offset))}
        isReporting={isReporting}
        onReporting={isOn => {
          setNotice(isOn ? 'Choose the driver to report.' : '')
          setReporting(isOn)
        }}
      />
    </div>
  )
}

/** Returns how many drivers a board has, if the card has loaded it already; otherwise undefined. */
function useKnownTotal(
  userId: string,
  contextId: number | null | undefined,
  { board }: BoardChoice,
): number | undefined {
  const key = contextId == null || board !== 'complete' ? null : boardKeys.top(userId, contextId)
  return useSWR<BoardPage | null>(key, null).data?.total
}

/** Shows for a moment which row was found. The row has the focus as well, for those who want no motion. */
function flash(row: HTMLElement) {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const lit = 'color-mix(in srgb, var(--accent) 35%, transparent)'
  row.animate([{ backgroundColor: lit }, {}], { id: 'found', duration: FLASH_MS, easing: 'ease-out' })
}

const FLASH_MS = 1500

/** Visible rows above the driver's own. */
const ROWS_ABOVE = 4

/** Scrolls to the driver's own row as soon as the page that holds it is loaded. */
function useFindMe(shownOffset: number | undefined) {
  const [wanted, setWanted] = useState<{ readonly offset: number } | null>(null)
  const ownRow = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (wanted === null || wanted.offset !== shownOffset || ownRow.current === null) return
    const { sectionRowIndex, parentElement } = ownRow.current
    // The first visible row must be whole, not cut off by the head.
    parentElement?.children[Math.max(0, sectionRowIndex - ROWS_ABOVE)]?.scrollIntoView({ block: 'start' })
    ownRow.current.focus({ preventScroll: true })
    flash(ownRow.current)
    setWanted(null)
  }, [wanted, shownOffset])
  return { wantRank: (offset: number) => setWanted({ offset }), ownRow }
}
