import type { KeyboardEvent, ReactNode } from 'react'

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

/** Rows that a key moves on. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(event.target as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus()
}
