import type { RefObject } from 'react'
import { CornersCard, type CornersCardProps } from '#features/compare/CornersCard.tsx'
import { stretchAt } from '#features/compare/corner-rows.ts'
import type { DistanceViewStore } from '#features/telemetry/distance-view-store.ts'
import { useStore } from '#shared/store/use-store.ts'

interface TimeLostProps extends Pick<CornersCardProps, 'lap' | 'reference' | 'stretches'> {
  /** Length of the axis of the laps, in metres. */
  readonly lengthM: number
  readonly view: DistanceViewStore
  /** Holds outline and traces. */
  readonly views: RefObject<HTMLElement | null>
}

/** Share of the lap that is shown before and after a chosen part. */
const MARGIN = 0.008

/** The table of corners; all views show the chosen one. */
export function TimeLost({ lengthM, view, views, ...table }: TimeLostProps) {
  const range = useStore(view)
  // By position and not by name: corners can get other numbers while one is shown.
  const selected =
    range?.name === undefined
      ? null
      : stretchAt(table.stretches, range.minM / lengthM + MARGIN, range.maxM / lengthM - MARGIN)
  return (
    <CornersCard
      {...table}
      selected={selected?.name ?? null}
      onSelect={stretch => {
        view.set(
          stretch && {
            name: stretch.name,
            minM: Math.max(0, stretch.startPct - MARGIN) * lengthM,
            maxM: Math.min(1, stretch.endPct + MARGIN) * lengthM,
          },
        )
        if (stretch && views.current) bringIntoSight(views.current)
      }}
    />
  )
}

/** Scrolls to the views, which can be outside the window in a single column. */
function bringIntoSight(element: HTMLElement) {
  const { top, bottom } = element.getBoundingClientRect()
  const seen = Math.min(bottom, window.innerHeight) - Math.max(top, 0)
  if (seen >= Math.min(bottom - top, window.innerHeight) / 2) return
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' })
}
