import type { RefObject } from 'react'
import type { CornersCardProps } from '#features/compare/CornersCard.tsx'
import { stretchAt } from '#features/compare/corner-rows.ts'
import { type DistanceViewStore, rangeOfPart } from '#features/telemetry/distance-view-store.ts'
import { useStore } from '#shared/store/use-store.ts'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'

interface TimeLostProps extends Pick<CornersCardProps, 'lap' | 'reference' | 'stretches'> {
  /** Length of the axis of the laps, in metres. */
  readonly lengthM: number
  readonly view: DistanceViewStore
  /** Holds outline and traces. */
  readonly views: RefObject<HTMLElement | null>
}

/** Loads with the first comparison, because the first visit does not need it. */
const loadCornersCard = async () => (await import('#features/compare/CornersCard.tsx')).CornersCard

/** The table of corners; all views show the chosen one. */
export function TimeLost({ lengthM, view, views, ...table }: TimeLostProps) {
  const { part: CornersCard, ...loading } = useLazyPart(loadCornersCard, true)
  const chosen = useStore(view, range => range?.chosen)
  // By position and not by name: corners can get other numbers while one is shown.
  const selected = chosen ? stretchAt(table.stretches, chosen.startM / lengthM, chosen.endM / lengthM) : null
  if (!CornersCard) {
    return loading.isFailed && <LoadProblem isBusy={loading.isLoading} onRetry={loading.retry} />
  }
  return (
    <CornersCard
      {...table}
      selected={selected?.name ?? null}
      onSelect={stretch => {
        view.set(
          stretch &&
            rangeOfPart(
              {
                name: stretch.name,
                startM: stretch.startPct * lengthM,
                endM: stretch.endPct * lengthM,
              },
              lengthM,
            ),
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
