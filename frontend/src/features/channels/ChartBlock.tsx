import type { Variable } from '@lapwing/telemetry'
import { Ellipsis } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import { labelOf, namesOf, parseTerm } from './channel-term.ts'
import type { ChartDeck } from './chart-deck.ts'
import type { Chart, ChartKind } from './chart-pages.ts'
import { drawable, drawnLines } from './drawn-lines.ts'
import type { UnitChoices } from './drawn-unit.ts'
import type { LapViews } from './lap-views.ts'
import { createLinesChart, type DrawnLine } from './lines-chart.ts'
import { createPointsChart } from './points-chart.ts'
import { sharedExtent } from './shared-extent.ts'
import type { LapColumns } from './use-channels.ts'
import { useSame } from './use-same.ts'

interface ChartBlockProps {
  readonly chart: Chart
  readonly variables: ReadonlyMap<string, Variable>
  /** Null until the first are read. */
  readonly columns: LapColumns | null
  readonly choices: UnitChoices
  readonly deck: ChartDeck | null
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onMove: (by: -1 | 1) => void
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** One chart of a page, or the small charts of several channels, with the values at the cursor and a menu. */
export function ChartBlock(props: ChartBlockProps) {
  const { chart, variables, columns, choices, deck } = props
  const { kind } = chart
  const { terms, reasons } = useMemo(() => drawable(chart, variables, choices), [chart, variables, choices])
  // Another chart of the page brings other columns; this one is made again only for its own.
  const names = terms.flatMap(term => namesOf(parseTerm(term)!))
  const own = names.flatMap(name => [columns?.lap.get(name), columns?.reference?.get(name)])
  const lines = useSame([kind, terms.join(), columns?.views, choices, ...own], () =>
    columns ? drawnLines(kind, terms, columns, choices) : null,
  )
  const views = columns?.views ?? null
  const panels = useMemo(
    () => (lines && kind === 'each' ? lines.map(line => [line]) : lines && [lines]),
    [lines, kind],
  )
  const extent = useMemo(
    () => (lines && views && kind === 'each' ? sharedExtent(lines, views) : null),
    [lines, views, kind],
  )
  const title = chart.channels.map(labelOf).join(', ')
  return (
    <li className="channels-block" data-kind={kind} aria-label={title}>
      <ChartMenu title={title} {...props} />
      {terms.length > 0 && (
        <div className="channels-panels">
          {panels && views
            ? panels.map(each => (
                <Panel
                  key={each[0]!.label}
                  kind={kind}
                  lines={each}
                  views={views}
                  deck={deck}
                  extent={extent}
                />
              ))
            : (kind === 'each' ? terms : ['']).map(term => (
                <div key={term} className="channels-panel">
                  <p className="channels-legend">{kind === 'each' ? labelOf(term) : title}</p>
                  <div className="channels-plot" />
                </div>
              ))}
        </div>
      )}
      {reasons.map(reason => (
        <p key={reason} className="text-muted text-xs">
          {reason}
        </p>
      ))}
    </li>
  )
}

interface PanelProps {
  readonly kind: ChartKind
  readonly lines: readonly DrawnLine[]
  readonly views: LapViews
  readonly deck: ChartDeck | null
  readonly extent: ReturnType<typeof sharedExtent> | null
}

function Panel({ kind, lines, views, deck, extent }: PanelProps) {
  const host = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLParagraphElement>(null)
  const isOverLap = kind === 'lines' || kind === 'each'
  useEffect(
    () =>
      deck?.add(host.current!, look => {
        const options = {
          host: host.current!,
          chips: [...legend.current!.querySelectorAll('output')],
          lines,
          views,
        }
        return isOverLap
          ? createLinesChart({ ...options, isMain: kind === 'lines', sharedExtent: extent }, look)
          : createPointsChart(options, look)
      }),
    [deck, lines, views, kind, isOverLap, extent],
  )
  return (
    <div className="channels-panel">
      <p ref={legend} className="channels-legend">
        {lines.map(({ label, unit, colour }, i) => (
          <span key={label} className="channels-key">
            {colour !== null && (
              <span className="channels-swatch" style={{ background: `var(--channel-${colour + 1})` }} />
            )}
            {kind === 'scatter' && <span aria-hidden="true">{i === 0 ? '→' : '↑'}</span>}
            <span className="channels-name">{label}</span>
            <output aria-live="off" aria-label={label} className="channels-value" />
            {unit && <span className="text-muted text-xs">{unit}</span>}
          </span>
        ))}
      </p>
      <div ref={host} className="channels-plot" />
    </div>
  )
}

function ChartMenu({
  title,
  onEdit,
  onRemove,
  onMove,
  isFirst,
  isLast,
}: ChartBlockProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  const entry = (label: string, act: () => void, isBlocked = false) => (
    <Button
      variant="ghost"
      size="wide"
      isBlocked={isBlocked}
      onClick={() => {
        setOpen(false)
        act()
      }}
    >
      {label}
    </Button>
  )
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Menu of ${title}`} className="channels-menu">
          <Ellipsis size={16} aria-hidden />
        </Button>
      </Popover.Trigger>
      <MenuPanel label={`Menu of ${title}`} className="channels-entries">
        {entry('Change the chart', onEdit)}
        {entry('Move up', () => onMove(-1), isFirst)}
        {entry('Move down', () => onMove(1), isLast)}
        {entry('Remove', onRemove)}
      </MenuPanel>
    </Popover.Root>
  )
}
