import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { limitOutlineSize, MIN_OUTLINE_SIZE, outlineSize } from '#shared/preferences/outline-size.ts'
import { useStore } from '#shared/store/use-store.ts'

/** Share of the full height that a press of an arrow key changes. */
const STEP = 0.05

interface OutlineSizerProps {
  /** Id of the chart whose height it sets. */
  readonly controls: string
}

/** The lower edge of the outline's card: drags the chart lower, which leaves the height to the traces. */
export function OutlineSizer({ controls }: OutlineSizerProps) {
  const size = useStore(outlineSize)
  /** Full height of the chart, and how far its lower edge is above the pointer, in pixels. */
  const drag = useRef<{ readonly fullPx: number; readonly offsetPx: number } | null>(null)
  const percent = Math.round(100 * size)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const chart = document.getElementById(controls)!.getBoundingClientRect()
    drag.current = { fullPx: chart.height / size, offsetPx: event.clientY + scrollY - chart.height }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!drag.current) return
    const { fullPx, offsetPx } = drag.current
    outlineSize.set(limitOutlineSize((event.clientY + scrollY - offsetPx) / fullPx))
  }
  const endDrag = () => {
    drag.current = null
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const sizes: Readonly<Record<string, number>> = {
      ArrowUp: size - STEP,
      ArrowDown: size + STEP,
      Home: 1,
      End: MIN_OUTLINE_SIZE,
    }
    const next = sizes[event.key]
    if (next === undefined) return
    event.preventDefault()
    outlineSize.set(limitOutlineSize(next))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be focused or dragged.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the outline"
      aria-controls={controls}
      aria-valuemin={100 * MIN_OUTLINE_SIZE}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %`}
      title="Drag to change the height of the outline, double click for its full height"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onDoubleClick={() => outlineSize.set(1)}
      onKeyDown={onKeyDown}
      className="group -mx-2 -mb-2 grid h-3 cursor-row-resize touch-none place-items-center rounded-b-card -outline-offset-2 sm:-mx-3 sm:-mb-3 pointer-coarse:h-6"
    >
      <span className="h-[3px] w-9 rounded-full bg-line group-hover:bg-muted group-focus-visible:bg-accent" />
    </div>
  )
}
