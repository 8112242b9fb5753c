import type { CSSProperties } from 'react'
import { outlineSize } from '#shared/preferences/outline-size.ts'

/** Heights of a session's cards, so that nothing moves when they come. */
const heights = {
  file: 'h-16',
  laps: 'h-64',
  leaderboard: 'h-40',
  outline: 'h-[calc(68px+max(220px,100svh-var(--beside-outline))*var(--outline-size))]',
  traces: 'min-h-(--traces-card) grow',
  gauges: 'h-[194px] max-xl:hidden',
} as const

/** The outline of a card that is not loaded yet. */
export function CardSkeleton({ of }: { readonly of: keyof typeof heights }) {
  return (
    <div
      aria-hidden="true"
      style={{ '--outline-size': outlineSize.get() } as CSSProperties}
      className={`rounded-card border border-line bg-card ${heights[of]}`}
    />
  )
}
