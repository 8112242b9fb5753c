import { type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CornersCard, type CornersCardProps, WhyWords } from '#features/compare/CornersCard.tsx'
import { stretchAt } from '#features/compare/corner-rows.ts'
import { type DistanceViewStore, rangeOfPart } from '#features/telemetry/distance-view-store.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'

export interface TimeLostProps extends Pick<CornersCardProps, 'lap' | 'reference' | 'stretches'> {
  /** Length of the axis of the laps, in metres. */
  readonly lengthM: number
  readonly view: DistanceViewStore
  /** The driver turned compare mode on while this session was open. */
  readonly hasTurnedOn: boolean
  /** The reference that the driver picked; null if it was chosen for them. */
  readonly picked: string | number | null
  /** Holds outline and traces. */
  readonly views: RefObject<HTMLElement | null>
}

/** Returns whether the table is below the card that picks the reference, and not beside it. */
function isOneColumn(): boolean {
  return getComputedStyle(document.documentElement).getPropertyValue('--is-one-column') !== ''
}

/**
 * The table of corners; all views show the chosen one. In one column, turning compare mode on and picking a reference
 * jump here. Choosing a corner there jumps to the views, so its words are above them, too.
 */
export function TimeLost({ lengthM, view, hasTurnedOn, picked, views, ...table }: TimeLostProps) {
  const chosen = useStore(view, range => range?.chosen)
  // By position and not by name: corners can get other numbers while one is shown.
  const selected = chosen ? stretchAt(table.stretches, chosen.startM / lengthM, chosen.endM / lengthM) : null
  const unit = useStore(speedUnit)
  const place = useRef<HTMLDivElement>(null)
  /** Whether the table that the driver asked for is not there yet. */
  const isAwaited = useRef(hasTurnedOn)
  const [hasJumped, setJumped] = useState(false)
  useEffect(() => {
    if (picked !== null) isAwaited.current = true
  }, [picked])
  // The table of a pick follows a moment later, so each new table counts.
  useEffect(() => {
    if (!isAwaited.current || !place.current) return
    isAwaited.current = false
    if (!isOneColumn()) return
    setJumped(true)
    place.current.focus({ preventScroll: true })
    scrollTo(place.current)
  }, [table.stretches])
  const backToTable = () => {
    scrollTo(place.current!)
    place.current!.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} data-shows-values tabIndex={-1} className="outline-none">
      <p role="status" className="mb-1 px-3 text-muted text-xs empty:hidden lg:sr-only">
        {hasJumped && `Moved to where the time goes: ${table.lap} against ${table.reference}.`}
      </p>
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
      {selected &&
        views.current &&
        createPortal(
          <div className="order-first mb-3 hidden items-start gap-2 rounded-card border border-line bg-card p-3 text-xs leading-snug one:flex">
            {/* The table announces the same words. */}
            <p aria-hidden="true" className="min-w-0 flex-1">
              <WhyWords stretches={table.stretches} stretch={selected} unit={unit} />
            </p>
            <Button onClick={backToTable}>All corners</Button>
          </div>,
          views.current,
        )}
    </div>
  )
}

/** Scrolls to the views, which can be outside the window in a single column. */
function bringIntoSight(element: HTMLElement) {
  const { top, bottom } = element.getBoundingClientRect()
  const seen = Math.min(bottom, window.innerHeight) - Math.max(top, 0)
  if (seen >= Math.min(bottom - top, window.innerHeight) / 2) return
  scrollTo(element)
}

function scrollTo(element: HTMLElement) {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' })
}
