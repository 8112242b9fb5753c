import type { Lap, Preview } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { tracesLayout } from '#shared/preferences/traces.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { CornerButtons } from './CornerButtons.tsx'
import { copyWithUnit } from './copy-with-unit.ts'
import { zoomKeyAction } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import type { IncidentPosition, LapComparison } from './lap-comparison.ts'
import { mainSeries } from './lap-series.ts'
import { ChannelRow } from './traces/ChannelRow.tsx'
import { ComparisonBar } from './traces/ComparisonBar.tsx'
import { RangeBar } from './traces/RangeBar.tsx'
import { channelsOf, DELTA_CHANNEL } from './traces/trace-channels.ts'
import { arrangeTraces } from './traces/trace-layout.ts'
import { createTracesCoordinator, type TracesCoordinator } from './traces/traces-coordinator.ts'
import { useCursorKeys } from './use-cursor-keys.ts'
import { useLapCursor } from './use-lap-cursor.ts'

interface LapTracesProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  /** The part of the lap that is shown. */
  readonly view: DistanceViewStore
  /** A second lap to draw with the first, and the delta to it; null without one. */
  readonly comparison: LapComparison | null
  /** Opens further channels. */
  readonly anyChannel: ReactNode
}

const ZOOM_STEP = 1.5

/** A card with speed, pedals, gear, engine and steering over the lap's distance. */
export function LapTraces({ preview, lap, cursor, view, comparison, anyChannel }: LapTracesProps) {
  const stack = useRef<HTMLDivElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const coordinator = useRef<TracesCoordinator | null>(null)
  const unit = useStore(speedUnit)
  const hasDelta = comparison?.delta != null
  const layout = useStore(tracesLayout)
  const possible = useMemo(
    () => [...(hasDelta ? [DELTA_CHANNEL] : []), ...channelsOf(preview, unit)],
    [preview, unit, hasDelta],
  )
  const channels = useMemo(() => arrangeTraces(possible, layout), [possible, layout])
  const main = useMemo(() => mainSeries(preview, lap), [preview, lap])
  const corners = comparison?.corners ?? []
  const incidents = comparison?.incidents ?? []
  const moveCursor = useCursorKeys(preview, lap, cursor, view, comparison)
  useLapCursor(lap, cursor)

  useEffect(() => {
    const root = stack.current!
    const parts = (name: string) => [...root.querySelectorAll<HTMLElement>(`[data-part="${name}"]`)]
    const part = (name: string, series: string) =>
      root.querySelector<HTMLElement>(`[data-series="${series}"] [data-part="${name}"]`)
    const strip = parts('corners')[0]
    const row = (channel: (typeof channels)[number]) => {
      const { series } = channel
      const chip = part('reference-chip', series)
      const dot = part('reference-dot', series)
      return {
        channel,
        plot: part('plot', series)!,
        own: { chip: part('chip', series)!, dot: part('dot', series)! },
        ...(chip && dot ? { reference: { chip, dot } } : {}),
      }
    }
    let created: TracesCoordinator | null = null
    // A task of its own after the rows render, so that neither blocks the page.
    const timer = setTimeout(() => {
      created = createTracesCoordinator(
        {
          stack: root,
          surface: surface.current!,
          cursorLine: parts('cursor-line')[0]!,
          ghostLine: parts('ghost-line')[0],
          distanceAxis: parts('distance-axis')[0]!,
          selection: parts('selection')[0]!,
          rows: channels.map(row),
          ...(strip
            ? { corners: { strip, numbers: parts('corner-number'), lines: parts('corner-line') } }
            : {}),
          incidents: parts('incident'),
        },
        { main, comparison, speedUnit: unit },
        cursor,
        view,
      )
      coordinator.current = created
    })
    return () => {
      clearTimeout(timer)
      created?.destroy()
    }
  }, [main, comparison, cursor, view, channels, unit])

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
      data-shows-values
      className="@container flex grow flex-col rounded-card border border-line bg-card p-2 sm:p-3"
    >
      <RangeBar preview={preview} lap={lap} view={view} channels={possible} anyChannel={anyChannel} />
      {comparison && <ComparisonBar lap={main.name} comparison={comparison} />}
      <div ref={stack} onCopy={copyWithUnit} className="relative flex grow flex-col">
        {corners.length > 0 && (
          <div className="h-6">
            <CornerButtons
              label="Corners on the traces"
              comparison={comparison!}
              view={view}
              // The areas to press are 24 px wide, as far apart as the numbers are, and 44 px high on touch screens.
              className="absolute h-6 pointer-coarse:*:after:absolute pointer-coarse:*:after:inset-x-0 pointer-coarse:*:after:-inset-y-2.5"
            />
          </div>
        )}
        {channels.map((channel, i) => (
          <ChannelRow
            key={channel.series}
            channel={channel}
            reference={comparison?.reference.name ?? null}
            isLast={i === channels.length - 1}
          />
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
            data-part="selection"
            hidden
            className="pointer-events-none absolute inset-y-0 left-0 border-accent border-x bg-accent/15"
          />
          {corners.map(({ name }) => (
            <div
              key={name}
              data-part="corner-line"
              className="pointer-events-none absolute inset-y-0 left-0 border-muted/40 border-l border-dashed"
            />
          ))}
          {incidents.map(incident => (
            <IncidentMark key={incident.name} incident={incident} />
          ))}
          {comparison && (
            <div
              data-part="ghost-line"
              hidden
              className="pointer-events-none absolute inset-y-0 left-0 -ml-px w-[1.5px] bg-reference group-data-[cursor=none]:hidden"
            />
          )}
          <div
            data-part="cursor-line"
            className="pointer-events-none absolute inset-y-0 left-0 -ml-px w-[1.5px] bg-accent group-data-[cursor=none]:hidden"
          />
          {channels.map(({ series }) => (
            <div key={series} data-series={series}>
              {comparison && series !== 'delta' && <Dot part="reference-dot" className="bg-reference" />}
              <Dot part="dot" className="bg-lap" />
            </div>
          ))}
        </div>
        <div
          data-part="distance-axis"
          title="Drag to show a part of the lap"
          className="absolute cursor-ew-resize touch-none select-none"
        />
      </div>
    </section>
  )
}

/** Marks where a car was off the track or in contact, and the time that it cost. */
function IncidentMark({ incident: { label, of, lossS } }: { readonly incident: IncidentPosition }) {
  const isOwn = of === 'lap'
  return (
    <div
      data-part="incident"
      className={clsx(
        'group/incident pointer-events-none absolute inset-y-0 left-0',
        isOwn ? 'bg-warning/25' : 'bg-reference/20',
      )}
    >
      <span
        className={clsx(
          'absolute top-0 whitespace-nowrap rounded-sm bg-card/80 px-1 font-medium text-[11px] tabular-nums group-data-[side=left]/incident:right-full group-data-[side=right]/incident:left-full',
          isOwn ? 'text-warning' : 'text-reference',
        )}
      >
        {label} {formatDelta(lossS)}
      </span>
    </div>
  )
}

/** Marks the cursor on a line. */
function Dot({ part, className }: { readonly part: string; readonly className: string }) {
  return (
    <div
      data-part={part}
      className={`pointer-events-none absolute top-0 left-0 -mt-[3.5px] -ml-[3.5px] size-[7px] rounded-full border-[1.5px] border-card group-data-[cursor=none]:hidden ${className}`}
    />
  )
}
