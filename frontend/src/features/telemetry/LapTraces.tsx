import type { Lap, Preview } from '@lapwing/telemetry'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { speedUnit } from '#shared/preferences/units.ts'
import { usePreference } from '#shared/storage/use-preference.ts'
import { copyWithUnit } from './copy-with-unit.ts'
import { zoomKeyAction } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import { createDistanceViewStore, type DistanceViewStore } from './distance-view-store.ts'
import { RangeBar } from './traces/RangeBar.tsx'
import { channelsOf } from './traces/trace-channels.ts'
import { createTracesCoordinator, type TracesCoordinator } from './traces/traces-coordinator.ts'
import { useCursorKeys } from './use-cursor-keys.ts'
import { useLapCursor } from './use-lap-cursor.ts'

export interface LapTracesProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  /** The stretch shown, where the page wants to set it too; without one the traces keep their own. */
  readonly view?: DistanceViewStore
}

const ZOOM_STEP = 1.5

/** Speed, pedals, gear, engine and steering over the lap's distance, in a card of its own. */
export function LapTraces({ preview, lap, cursor, view: sharedView }: LapTracesProps) {
  const stack = useRef<HTMLDivElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const coordinator = useRef<TracesCoordinator | null>(null)
  const ownView = useMemo(createDistanceViewStore, [])
  const view = sharedView ?? ownView
  const unit = usePreference(speedUnit)
  const channels = useMemo(() => channelsOf(preview, unit), [preview, unit])
  const moveCursor = useCursorKeys(preview, lap, cursor)
  useLapCursor(lap, cursor)

  useEffect(() => {
    const root = stack.current!
    const part = (name: string) => [...root.querySelectorAll<HTMLElement>(`[data-part="${name}"]`)]
    const [plots, chips, dots] = [part('plot'), part('chip'), part('dot')]
    let created: TracesCoordinator | null = null
    // A task of its own after that of the rows, so that neither makes the page wait.
    const timer = setTimeout(() => {
      created = createTracesCoordinator(
        {
          stack: root,
          surface: surface.current!,
          cursorLine: part('cursor-line')[0]!,
          rows: channels.map((channel, i) => ({ channel, plot: plots[i]!, chip: chips[i]!, dot: dots[i]! })),
        },
        [{ role: 'lap', preview, lap }],
        cursor,
        view,
        unit,
      )
      coordinator.current = created
    })
    return () => {
      clearTimeout(timer)
      created?.destroy()
    }
  }, [preview, lap, cursor, view, channels, unit])

  function onKeyDown(event: KeyboardEvent) {
    const zoom = zoomKeyAction(event)
    if (zoom === 'in') coordinator.current?.zoomBy(ZOOM_STEP)
    else if (zoom === 'out') coordinator.current?.zoomBy(1 / ZOOM_STEP)
    else if (zoom === 'reset') view.set(null)
    else moveCursor(event)
  }

  return (
    <section
      aria-label="Lap traces"
      className="@container rounded-card border border-line bg-card p-2 sm:p-3"
    >
      <RangeBar preview={preview} lap={lap} view={view} />
      <div ref={stack} onCopy={copyWithUnit} className="relative">
        {channels.map(channel => (
          <div
            key={channel.series}
            className="grid grid-cols-[1fr_48px] border-line border-t @sm:grid-cols-[80px_1fr_52px]"
          >
            <p className="col-span-2 flex items-baseline gap-1.5 pt-1 @sm:col-span-1 @sm:pt-1.5">
              <span className="font-semibold">{channel.label}</span>
              <span className="text-muted text-xs">{channel.unit}</span>
            </p>
            <div data-part="plot" aria-hidden="true" className="min-w-0 overflow-hidden" />
            <output
              data-part="chip"
              data-unit={channel.unit}
              aria-live="off"
              aria-label={channel.label}
              className="self-start pt-1.5 text-right font-semibold text-lap text-sm tabular-nums data-[quiet=true]:font-medium data-[quiet=true]:text-muted"
            />
          </div>
        ))}
        <div
          ref={surface}
          role="slider"
          tabIndex={0}
          aria-label={`Lap ${lap.lap} on the traces`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={0}
          data-cursor="none"
          onKeyDown={onKeyDown}
          className="group absolute cursor-crosshair select-none overflow-hidden"
        >
          <div
            data-part="cursor-line"
            className="pointer-events-none absolute inset-y-0 left-0 -ml-px w-[1.5px] bg-accent group-data-[cursor=none]:hidden"
          />
          {channels.map(channel => (
            <div
              key={channel.series}
              data-part="dot"
              className="pointer-events-none absolute top-0 left-0 -mt-[3.5px] -ml-[3.5px] size-[7px] rounded-full border-[1.5px] border-card bg-lap group-data-[cursor=none]:hidden"
            />
          ))}
        </div>
      </div>
    </section>
  )
}
