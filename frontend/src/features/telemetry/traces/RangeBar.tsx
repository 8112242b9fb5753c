import type { Lap, Preview } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
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
}

/** Says which part of the lap the traces show, with a button for the whole lap and the menu of the traces. */
export function RangeBar({ preview, lap, view, channels }: RangeBarProps) {
  const range = useStore(view)
  const full = useMemo(() => lapDistance(preview, lap).full, [preview, lap])
  const { minM, maxM } = range ?? full
  const span = full.maxM - full.minM
  const left = (100 * (minM - full.minM)) / span
  const width = (100 * (maxM - minM)) / span
  return (
    <div className="mb-1 flex h-7 items-center gap-1 @sm:gap-3 pointer-coarse:h-11">
      <h2 className={clsx('font-semibold text-muted text-xs', range && '@max-sm:sr-only')}>Traces</h2>
      {range === null ? (
        <p className="ml-auto hidden text-muted text-xs @3xl:block pointer-coarse:hidden!">
          Wheel zooms, drag moves, drag along the distance selects, double click shows the whole lap
        </p>
      ) : (
        <>
          <svg
            aria-hidden="true"
            className="h-1 min-w-0 flex-1"
            preserveAspectRatio="none"
            viewBox="0 0 100 1"
          >
            <rect width="100" height="1" className="fill-raised" />
            <rect x={left} width={width} height="1" className="fill-accent" />
          </svg>
          <p className="whitespace-nowrap text-muted text-xs tabular-nums">
            {kilometres(minM)}–{kilometres(maxM)} km
          </p>
          <Button variant="ghost" className="h-7! px-2! text-xs" onClick={() => view.set(null)}>
            <RotateCcw size={12} aria-hidden="true" />
            Whole lap
          </Button>
        </>
      )}
      <ChannelsButton channels={channels} />
    </div>
  )
}

function kilometres(metres: number): string {
  return (metres / 1000).toFixed(2)
}
