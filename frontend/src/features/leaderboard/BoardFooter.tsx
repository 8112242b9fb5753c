import { isDemoName } from '@lapwing/usernames/demo-name'
import { Flag } from 'lucide-react'
import { formatCount } from '#shared/format/count.ts'
import { Button } from '#shared/ui/Button.tsx'
import type { BoardPage } from './board-api.ts'
import { PAGE_SIZE } from './board-choice.ts'

interface BoardFooterProps {
  /** Null or undefined if there is nothing to show. */
  readonly page: BoardPage | null | undefined
  readonly offset: number
  readonly onOffset: (offset: number) => void
  /** Whether rows have a button to report their driver. */
  readonly isReporting: boolean
  readonly onReporting: (isReporting: boolean) => void
}

/** Shows which part of the board is visible, with buttons for the other pages. */
export function BoardFooter({ page, offset, onOffset, isReporting, onReporting }: BoardFooterProps) {
  const rows = page?.rows.length ?? 0
  const next = nextOffset(page, offset)
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-muted">
        {page && (
          <>
            <span>
              Showing {formatCount(rows)} of {formatCount(page.total)} drivers
            </span>
            {rows > 0 && rows < page.total && (
              <span className="text-xs">
                {' · '}
                {formatCount(page.offset + 1)}–{formatCount(page.offset + rows)}
              </span>
            )}
            {page.rows.some(row => isDemoName(row.display_name)) && (
              <span className="block text-xs">Demo drivers and their laps are generated.</span>
            )}
          </>
        )}
      </p>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button
          variant="ghost"
          aria-pressed={isReporting}
          isBlocked={rows === 0}
          onClick={() => onReporting(!isReporting)}
        >
          <Flag size={14} aria-hidden />
          {isReporting ? 'Stop reporting' : 'Report a driver'}
        </Button>
        <Button isBlocked={offset === 0} onClick={() => onOffset(offset - PAGE_SIZE)}>
          Previous
        </Button>
        <Button isBlocked={next === null} onClick={() => next !== null && onOffset(next)}>
          Next
        </Button>
      </div>
    </div>
  )
}

/** Returns the next page's offset; null on the last page. Works while a page loads. */
function nextOffset(page: BoardPage | null | undefined, offset: number): number | null {
  if (!page) return null
  if (page.offset === offset) return page.next_offset
  return offset + PAGE_SIZE < page.total ? offset + PAGE_SIZE : null
}
