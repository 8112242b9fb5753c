import { Minus, Plus } from 'lucide-react'
import { createStore } from '#shared/store/store.ts'
import { useStore } from '#shared/store/use-store.ts'
import type { OutlineCoordinator } from './outline-coordinator.ts'
import { formatZoom, MAX_ZOOM, MIN_ZOOM, ZOOM_STEP } from './outline-view.ts'

/** The view before the coordinator exists. */
const NO_VIEW = createStore({ zoom: 1 })

export function OutlineZoom({ coordinator }: { readonly coordinator: OutlineCoordinator | null }) {
  // Not the whole view: a drag would render each of its steps.
  const zoom = useStore(coordinator?.view ?? NO_VIEW, view => view.zoom)
  // Not `disabled` at the end of the range: a keyboard user keeps the focus after the press.
  const button =
    'grid h-8 w-9 cursor-pointer place-items-center text-text -outline-offset-2 hover:bg-raised aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-muted aria-disabled:opacity-50 pointer-coarse:h-11 pointer-coarse:w-11'
  return (
    <fieldset className="flex items-center overflow-hidden rounded-control border border-line">
      <legend className="sr-only">Zoom</legend>
      <button
        type="button"
        aria-label="Zoom out"
        aria-disabled={zoom <= MIN_ZOOM}
        onClick={() => coordinator?.zoomBy(1 / ZOOM_STEP)}
        className={button}
      >
        <Minus size={14} aria-hidden="true" />
      </button>
      <output className="w-11 text-center font-medium text-muted tabular-nums">{formatZoom(zoom)}</output>
      <button
        type="button"
        aria-label="Zoom in"
        aria-disabled={zoom >= MAX_ZOOM}
        onClick={() => coordinator?.zoomBy(ZOOM_STEP)}
        className={button}
      >
        <Plus size={14} aria-hidden="true" />
      </button>
    </fieldset>
  )
}
