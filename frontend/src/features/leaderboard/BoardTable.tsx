import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { BoardTableRow, WIDE_ONLY } from './BoardTableRow.tsx'
import type { ReportReason } from './board-api.ts'
import type { BoardChoice } from './board-choice.ts'
import { notAvailableHint, USE_HINT } from './reference-words.ts'
import type { BoardPageAnswer } from './use-board-page.ts'

interface BoardTableProps {
  readonly page: BoardPageAnswer
  /** The number of rows that will come, if known. */
  readonly expectedRows: number | undefined
  readonly choice: BoardChoice
  readonly userId: string
  readonly ownRow: RefObject<HTMLTableRowElement | null>
  /** The lap that is being loaded as the reference. */
  readonly usedLapId: string | null
  readonly canUse: (row: BoardRow) => boolean
  readonly whyNot: (row: BoardRow) => string | null
  readonly onUse: (row: BoardRow) => void
  /** Reports a driver; null while the rows show their usual buttons. */
  readonly onReport: ((row: BoardRow, reason: ReportReason) => Promise<void>) | null
}

const columns = [
  {
    name: 'Rank',
    hint: 'Position in leaderboard for this car and track combination',
    style: 'w-14 max-sm:w-11',
  },
  { name: 'Driver', hint: 'User who achieved this lap time', style: '' },
  {
    name: 'Best Lap',
    hint: 'Fastest lap time recorded by this driver',
    style: 'w-24 text-right max-sm:w-17',
  },
  {
    name: 'Delta',
    hint: 'Time difference relative to your personal best lap',
    style: 'w-24 text-right max-sm:w-16',
  },
  { name: 'Driven', hint: 'When the lap was driven', style: `w-28 ${WIDE_ONLY}` },
  { name: 'Session', hint: 'Kind of session in which it was driven', style: `w-24 ${WIDE_ONLY}` },
  {
    name: 'Conditions',
    hint: 'Air temperature and sky at the start of the session',
    style: `w-44 ${WIDE_ONLY}`,
  },
  { name: 'Actions', hint: USE_HINT, style: 'w-44 text-right max-sm:w-15' },
] as const

/** One page of a board. The rows scroll by themselves below a fixed head. */
export function BoardTable(props: BoardTableProps) {
  const { page, expectedRows, choice, userId, ownRow, usedLapId, canUse, whyNot, onUse, onReport } = props
  const { data, isTurning } = page
  const scroller = useRef<HTMLDivElement>(null)
  const offset = data?.offset ?? 0
  const lastOffset = useRef(0)
  useEffect(() => {
    // Not for the first page: it is at its top already, and the call would force a layout.
    if (lastOffset.current !== offset) scroller.current?.scrollTo({ top: 0 })
    lastOffset.current = offset
  }, [offset])

  const hint = notAvailableHint(choice.track?.label ?? '', choice.car?.label ?? '')
  const rows = data?.rows ?? []
  // The last page of several is as high as the others.
  const isOnePage = data == null || data.total <= rows.length
  const isUseless = rows.length > 0 && !rows.some(row => row.user_id !== userId && canUse(row))
  return (
    <>
      {isUseless && (
        // Touch screens show no tooltip.
        <p className="hidden text-xs text-muted pointer-coarse:block">{hint}</p>
      )}
      <div
        ref={scroller}
        aria-busy={isTurning || (data === undefined && !page.error)}
        className={clsx(
          'relative min-h-48 shrink overflow-y-auto',
          isOnePage ? 'max-h-[560px]' : 'h-[560px]',
        )}
      >
        <table className="w-full table-fixed border-separate border-spacing-0">
          <thead>
            {/* As high as a row, so that the row above the first visible one is hidden completely. */}
            <tr className="h-[37px] pointer-coarse:h-12">
              {columns.map(({ name, hint, style }) => (
                <th
                  key={name}
                  scope="col"
                  className={clsx(
                    'sticky top-0 z-10 border-b border-line bg-card px-2 py-0 text-left text-xs font-medium text-muted max-sm:px-1',
                    style,
                  )}
                >
                  <Tooltip content={hint} side="bottom">
                    <button type="button" className="min-h-6 cursor-help rounded-sm">
                      {name}
                    </button>
                  </Tooltip>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={clsx(isTurning && 'opacity-50')}>
            {rows.map(row => (
              <BoardTableRow
                key={row.user_id}
                row={row}
                ownRow={row.user_id === userId ? ownRow : null}
                notAvailable={canUse(row) ? whyNot(row) : hint}
                isLoading={row.lap_id === usedLapId}
                marksClean={choice.board === 'complete'}
                onUse={onUse}
                onReport={onReport}
              />
            ))}
          </tbody>
        </table>
        <Instead
          page={page}
          expectedRows={expectedRows}
          isChosen={choice.track !== null && choice.car !== null}
        />
      </div>
    </>
  )
}

interface InsteadProps extends Pick<BoardTableProps, 'page' | 'expectedRows'> {
  readonly isChosen: boolean
}

/** The text in place of rows. */
function Instead({ page, expectedRows, isChosen }: InsteadProps) {
  if (!isChosen) return <Sentence>Select a car to view its leaderboard for the selected track</Sentence>
  if (page.data === undefined && page.error) {
    return (
      <Sentence>
        <span role="alert">Failed to load leaderboard data.</span>
        <Button onClick={() => void page.mutate().catch(() => {})}>Retry</Button>
      </Sentence>
    )
  }
  if (page.data === undefined)
    return <SkeletonRows count={Math.min(expectedRows ?? ROWS_IN_SIGHT, ROWS_IN_SIGHT)} />
  if (page.data === null || page.data.rows.length === 0) {
    return <Sentence>No drivers found matching your search.</Sentence>
  }
  return null
}

function Sentence({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-16 text-center text-muted" role="status">
      {children}
    </div>
  )
}

const ROWS_IN_SIGHT = 15

function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div aria-hidden="true" className="motion-safe:animate-pulse">
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          className="flex h-[37px] items-center gap-4 border-b border-line px-2 pointer-coarse:h-12"
        >
          <span className="h-2.5 w-5 rounded-sm bg-raised" />
          <span className={`h-2.5 rounded-sm bg-raised ${['w-32', 'w-24', 'w-40'][index % 3]}`} />
          <span className="ml-auto h-2.5 w-16 rounded-sm bg-raised" />
        </div>
      ))}
    </div>
  )
}
