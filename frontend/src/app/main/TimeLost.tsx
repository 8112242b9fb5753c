import { type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CornersCard, type CornersCardProps, Why, WhyWords } from '#features/compare/CornersCard.tsx'
import { stretchAt } from '#features/compare/corner-rows.ts'
import { type DistanceViewStore, rangeOfPart } from '#features/telemetry/distance-view-store.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { useColumnCount } from './use-column-count.ts'
import { WhatNext, type WhatNextProps } from './WhatNext.tsx'

export interface TimeLostProps
  extends Pick<CornersCardProps, 'lap' | 'reference' | 'stretches'>,
    Pick<WhatNextProps, 'of' | 'known' | 'proofLap' | 'prove'> {
  /** Length of the axis of the laps, in metres. */
  readonly lengthM: number
  readonly view: DistanceViewStore
  /** The driver turned compare mode on while this session was open. */
  readonly hasTurnedOn: boolean
  /** The reference that the driver picked; null if it was chosen for them. */
  readonly picked: string | number | null
  /** Holds outline and traces. */
  readonly views: RefObject<HTMLElement | null>
  /** Above the views; null until it is there. */
  readonly reasonPlace: HTMLElement | null
}

/**
 * The table of corners; all views show the chosen one. In one column, turning compare mode on and picking a reference
 * jump here. With less than three columns the reason is above the views, and choosing a corner scrolls to it.
 */
export function TimeLost({
  lengthM,
  view,
  hasTurnedOn,
  picked,
  views,
  reasonPlace,
  of,
  known,
  proofLap,
  prove,
  ...table
}: TimeLostProps) {
  const chosen = useStore(view, range => range?.chosen)
  // By position and not by name: corners can get other numbers while one is shown.
  const selected = chosen ? stretchAt(table.stretches, chosen.startM / lengthM, chosen.endM / lengthM) : null
  const unit = useStore(speedUnit)
  const columns = useColumnCount()
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
    if (columns === 2) scrollTo(reasonPlace?.parentElement, 'nearest')
    if (columns !== 1) return
    setJumped(true)
    place.current.focus({ preventScroll: true })
    scrollTo(place.current)
  }, [table.stretches, columns, reasonPlace])
  const backToTable = () => {
    const row = place.current!.querySelector<HTMLElement>('tbody [aria-pressed="true"]')
    scrollTo(row, 'center')
    row?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} data-shows-values tabIndex={-1} className="outline-none">
      <p role="status" className="mb-1 px-3 text-muted text-xs empty:hidden lg:sr-only">
        {hasJumped && `Moved to where the time goes: ${table.lap} against ${table.reference}.`}
      </p>
      <WhatNext
        of={of}
        known={known}
        proofLap={proofLap}
        prove={prove}
        stretches={table.stretches}
        onShow={range => {
          view.set(range)
          if (range) requestAnimationFrame(() => bringIntoSight(columns, views.current, reasonPlace))
        }}
        lengthM={lengthM}
      />
      <CornersCard
        {...table}
        hasWhy={columns !== 2}
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
          // After the next drawing, which shows the reason.
          if (stretch) requestAnimationFrame(() => bringIntoSight(columns, views.current, reasonPlace))
        }}
      />
      {reasonPlace &&
        columns !== 3 &&
        (selected || columns === 2) &&
        createPortal(
          <>
            {columns === 2 ? (
              <Why stretches={table.stretches} selected={selected} className="min-h-[3lh] min-w-0 flex-1" />
            ) : (
              // The table announces the same words.
              <p aria-hidden="true" className="min-w-0 flex-1 text-xs leading-snug">
                <WhyWords stretches={table.stretches} stretch={selected!} unit={unit} />
              </p>
            )}
            {selected && <Button onClick={backToTable}>All corners</Button>}
          </>,
          reasonPlace,
        )}
    </div>
  )
}

/** Scrolls to the reason, or beside the table to the views, if that is not in the window. */
function bringIntoSight(columns: number, views: HTMLElement | null, reason: HTMLElement | null) {
  if (columns !== 3) return scrollTo(reason?.parentElement, 'nearest')
  if (!views) return
  const { top, bottom } = views.getBoundingClientRect()
  const seen = Math.min(bottom, window.innerHeight) - Math.max(top, 0)
  if (seen < Math.min(bottom - top, window.innerHeight) / 2) scrollTo(views)
}

function scrollTo(element: HTMLElement | null | undefined, block: ScrollLogicalPosition = 'start') {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block, behavior: isCalm ? 'instant' : 'smooth' })
}
