import type { KeyboardEvent, ReactNode } from 'react'
import { rowAfterKey } from '#shared/ui/row-after-key.ts'

interface ScrollRegionProps {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

/** A named part that scrolls by itself, also with the keyboard. Arrows move between its rows (`data-row`). */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard
      tabIndex={0}
      onKeyDown={moveBetweenRows}
      className={`study-scroll ${className}`}
    >
      {children}
    </section>
  )
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(event.target as HTMLElement)
  const next = at < 0 ? null : rowAfterKey(event.key, at, rows.length, 10)
  if (next === null) return
  event.preventDefault()
  rows[next]!.focus()
}
