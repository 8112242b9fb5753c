import type { Lap, Preview } from '@lapwing/telemetry'
import { RotateCcw } from 'lucide-react'
import { useMemo, useSyncExternalStore } from 'react'
import type { DistanceViewStore } from '../distance-view-store.ts'
import { lapDistance } from './lap-distance.ts'

export interface RangeBarProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly view: DistanceViewStore
}

/** Says which stretch of the lap the traces show, and leads back to the whole of it. */
export function RangeBar({ preview, lap, view }: RangeBarProps) {
  const range = useSyncExternalStore(view.subscribe, view.get)
  const full = useMemo(() => lapDistance(preview, lap).full, [preview, lap])
  const { minM, maxM } = range ?? full
  const span = full.maxM - full.minM
  const left = (100 * (minM - full.minM)) / span
  const width = (100 * (maxM - minM)) / span
  return (
    <div className="mb-1 flex h-7 items-center gap-3">
      <h2 className="font-semibold text-muted text-xs">Telemetry</h2>
      <svg aria-hidden="true" className="h-1 min-w-0 flex-1" preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect width="100" height="1" rx="0.5" className="fill-raised" />
        {range && <rect x={left} width={width} height="1" rx="0.5" className="fill-accent" />}
      </svg>
      <p className="text-muted text-xs tabular-nums">
        {kilometres(minM)}–{kilometres(maxM)} km
      </p>
      <button
        type="button"
        disabled={range === null}
        onClick={() => view.set(null)}
        className="flex h-7 items-center gap-1 rounded-control px-2 text-accent text-xs hover:bg-raised disabled:invisible pointer-coarse:h-11"
      >
        <RotateCcw size={12} aria-hidden="true" />
        Whole lap
      </button>
    </div>
  )
}

function kilometres(metres: number): string {
  return (metres / 1000).toFixed(2)
}
