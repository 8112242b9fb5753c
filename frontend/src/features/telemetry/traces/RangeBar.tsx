import type { Lap, Preview } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { setText } from '#shared/drawing/set-text.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import type { DistanceViewStore } from '../distance-view-store.ts'
import { lapDistance } from '../lap-distance.ts'
import { ChannelsButton } from './ChannelsButton.tsx'
import type { TraceChannel } from './trace-channels.ts'

interface RangeBarProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly view: DistanceViewStore
  /** The charts that this lap can have. */
  readonly channels: readonly TraceChannel[]
  /** A button beside the menu, and in it if the card is narrow. */
  readonly anyChannel: ReactNode
}

/** Says which part of the lap the traces show, with a button for the whole lap and the menu of the traces. */
export function RangeBar({ preview, lap, view, channels, anyChannel }: RangeBarProps) {
  // The range itself changes with each step of a zoom or drag, which must not render.
  const isPart = useStore(view, range => range !== null)
  const full = useMemo(() => lapDistance(preview, lap).full, [preview, lap])
  const bar = useRef<HTMLDivElement>(null)
  const words = useRef<HTMLParagraphElement>(null)

  useLayoutEffect(() => {
    if (!isPart) return
    const write = () => {
      const { minM, maxM } = view.get() ?? full
      const span = full.maxM - full.minM
      const left = (100 * (minM - full.minM)) / span
      bar.current!.style.transform = `translateX(${left}%) scaleX(${(maxM - minM) / span})`
      setText(words.current!, `${kilometres(minM)}–${kilometres(maxM)} km`)
    }
    write()
    return view.subscribe(write)
  }, [view, full, isPart])

  return (
    <div className="mb-1 flex h-7 items-center gap-1 @sm:gap-3 pointer-coarse:h-11">
      <h2 className={clsx('font-semibold text-muted text-xs', isPart && '@max-sm:sr-only')}>Traces</h2>
      {!isPart ? (
        <p className="hidden grow text-right text-muted text-xs @3xl:block pointer-coarse:hidden!">
          Wheel zooms, drag moves, drag along the distance selects, double click shows the whole lap
        </p>
      ) : (
        <>
          <div aria-hidden="true" className="h-1 min-w-0 flex-1 overflow-hidden bg-raised">
            <div ref={bar} className="h-full origin-left bg-accent" />
          </div>
          <p ref={words} className="whitespace-nowrap text-muted text-xs tabular-nums" />
          <Button
            variant="ghost"
            className="h-7! px-2! text-xs"
            onClick={event => {
              const card = event.currentTarget.closest('section')
              view.set(null)
              // The button is removed; the focus must stay in the card.
              card?.querySelector<HTMLElement>('[role="slider"]')?.focus({ preventScroll: true })
            }}
          >
            <RotateCcw size={12} aria-hidden="true" />
            Whole lap
          </Button>
        </>
      )}
      <div className="ml-auto hidden @sm:block">{anyChannel}</div>
      <ChannelsButton channels={channels} anyChannel={anyChannel} />
    </div>
  )
}

function kilometres(metres: number): string {
  return (metres / 1000).toFixed(2)
}
