import { ChevronDown, ChevronUp } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { tracesLayout } from '#shared/preferences/traces.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Checkbox } from '#shared/ui/Checkbox.tsx'
import { formatTraceLayout, moveTrace } from './change-trace-layout.ts'
import type { TraceChannel } from './trace-channels.ts'
import { parseTraceLayout, TRACE_SIZES, type TraceEntry, type TraceSize } from './trace-layout.ts'

interface ChannelMenuProps {
  /** All charts, in the default order. */
  readonly all: readonly TraceChannel[]
  /** The charts that this lap can have, also hidden ones. */
  readonly channels: readonly TraceChannel[]
}

/** Hides, orders and stretches the traces. The choice is for all files and is stored. */
export function ChannelMenu({ all, channels }: ChannelMenuProps) {
  const stored = useStore(tracesLayout)
  const entries = parseTraceLayout(
    stored,
    all.map(({ series }) => series),
  )
  const isSeen = (series: string) => channels.some(channel => channel.series === series)
  const seen = entries.filter(entry => isSeen(entry.series))
  const isOnlyOne = seen.filter(entry => !entry.isHidden).length === 1
  const list = useRef<HTMLUListElement>(null)
  /** A moved row loses the focus of its button. */
  const moved = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (moved.current === null) return
    list.current?.querySelector<HTMLElement>(`[aria-label="${moved.current}"]`)?.focus()
    moved.current = null
  })
  const save = (next: readonly TraceEntry[]) => tracesLayout.set(formatTraceLayout(next))
  const change = (entry: TraceEntry, by: Partial<TraceEntry>) =>
    save(entries.map(each => (each === entry ? { ...each, ...by } : each)))

  return (
    <>
      <ul ref={list} className="space-y-0.5">
        {seen.map((entry, i) => {
          const { series, isHidden, size } = entry
          const { label } = channels.find(channel => channel.series === series)!
          const step = (by: -1 | 1, isLast: boolean) => {
            const name = `Move ${label} ${by < 0 ? 'up' : 'down'}`
            return (
              <Button
                variant="ghost"
                size="icon"
                aria-label={name}
                isBlocked={isLast}
                onClick={() => {
                  moved.current = name
                  save(moveTrace(entries, series, by, isSeen))
                }}
              >
                {by < 0 ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
              </Button>
            )
          }
          return (
            <li key={series} className="flex items-center gap-1">
              <div className="mr-auto">
                <Checkbox
                  label={label}
                  checked={!isHidden}
                  // One chart must stay.
                  disabled={isOnlyOne && !isHidden}
                  onCheckedChange={isShown => change(entry, { isHidden: !isShown })}
                />
              </div>
              <select
                aria-label={`Height of ${label}`}
                value={size}
                onChange={event => change(entry, { size: Number(event.target.value) as TraceSize })}
                className="h-7 cursor-pointer rounded-md border border-line bg-raised px-1 font-medium text-text pointer-coarse:h-11"
              >
                {TRACE_SIZES.map(each => (
                  <option key={each} value={each}>
                    {each}×
                  </option>
                ))}
              </select>
              {step(-1, i === 0)}
              {step(1, i === seen.length - 1)}
            </li>
          )
        })}
      </ul>
      <Button
        size="wide"
        className="mt-2 justify-center"
        isBlocked={stored === ''}
        onClick={() => tracesLayout.set('')}
      >
        Reset the channels
      </Button>
    </>
  )
}
