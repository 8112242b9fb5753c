import type { CornerComparison, CornerFigures } from '@lapwing/telemetry/compare'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import { type SpeedUnit, speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Card } from '#shared/ui/Card.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import {
  byLoss,
  type CornerColumn,
  type CornerOrder,
  cornerRows,
  costliestCorner,
  gapAtLineMs,
  nextOrder,
} from './corner-rows.ts'
import { apexWords, stretchSentence } from './corner-sentence.ts'

export interface CornersCardProps {
  /** Names of the two laps. */
  readonly lap: string
  readonly reference: string
  readonly stretches: readonly CornerComparison[]
  /** Name of the selected stretch; null if none of these is selected. */
  readonly selected: string | null
  /** Selects a stretch, or the whole lap (null). */
  readonly onSelect: (stretch: CornerComparison | null) => void
  /** Whether the reason is above the list. Otherwise it is elsewhere. */
  readonly hasWhy: boolean
}

/**
 * Lists corners, straights and incidents with the time lost there; for a corner both drivers' figures, too. The losses
 * add up to the gap. Above the list a sentence can say why the selected corner cost time; without one, the costliest.
 */
export function CornersCard({ lap, reference, stretches, selected, onSelect, hasWhy }: CornersCardProps) {
  const unit = useStore(speedUnit)
  const [order, setOrder] = useState(byLoss)
  const { rows, gapMs } = cornerRows(stretches, order)
  const head = (column: Column) => <Head key={column.by} {...column} order={order} onOrder={setOrder} />
  return (
    <Card title="Where the time goes" aside={<Loss ms={gapMs} withUnit className="font-semibold" />}>
      {hasWhy && (
        <div className="@container corners-why">
          <Why
            stretches={stretches}
            selected={stretches.find(({ name }) => name === selected) ?? null}
            className="mt-1 min-h-[7lh] @min-[320px]:min-h-[6lh] @min-[520px]:min-h-[3lh]"
          />
        </div>
      )}
      <table className="mt-1 w-full table-fixed border-collapse text-right text-xs tabular-nums">
        <caption className="sr-only">
          {`What ${lap} lost to ${reference}, on each part of the lap. A corner has a row of figures for each lap.`}
        </caption>
        <thead className="text-muted">
          <tr>
            {head({ by: 'name', label: 'Corner', span: 4 })}
            {head({ by: 'loss', label: 'Loss', unit: 's', hint: 'Time lost to the reference' })}
          </tr>
          <tr>{figureColumns(unit).map(head)}</tr>
        </thead>
        {rows.map(stretch => (
          <Stretch
            key={stretch.name}
            stretch={stretch}
            names={{ lap, reference }}
            unit={unit}
            isSelected={stretch.name === selected}
            onSelect={onSelect}
          />
        ))}
        <tfoot>
          <tr className="border-line border-t font-semibold">
            <th scope="row" colSpan={4} className="pt-1.5 text-left font-semibold">
              Gap at the line
            </th>
            <td className="pt-1.5">
              <Loss ms={gapMs} />
            </td>
          </tr>
        </tfoot>
      </table>
    </Card>
  )
}

export interface WhyProps {
  readonly stretches: readonly CornerComparison[]
  readonly selected: CornerComparison | null
  readonly className: string
}

/** Explains the loss of the selected stretch, otherwise of the costliest corner, and announces it. */
export function Why({ stretches, selected, className }: WhyProps) {
  const unit = useStore(speedUnit)
  const stretch = selected ?? costliestCorner(stretches)
  return (
    <p aria-live="polite" className={clsx('text-xs leading-snug', className)}>
      {stretch ? (
        <>
          {/* A straight can have cost more: the rows say so. */}
          {!selected && (
            <span className="text-muted">
              {gapAtLineMs(stretches) < 0 && 'Your lap is the faster one. '}Costliest corner:{' '}
            </span>
          )}
          <WhyWords stretches={stretches} stretch={stretch} unit={unit} />
        </>
      ) : (
        'You lost no time in a corner.'
      )}
    </p>
  )
}

interface WhyWordsProps {
  readonly stretches: readonly CornerComparison[]
  readonly stretch: CornerComparison
  readonly unit: SpeedUnit
}

/** The name of a stretch, its loss, and why it cost or gained time. */
export function WhyWords({ stretches, stretch, unit }: WhyWordsProps) {
  const atApex = apexWords(stretch)
  return (
    <>
      <strong className="font-semibold">{stretch.name}</strong> <Loss ms={stretch.lossMs} withUnit />
      {atApex && (
        <>
          {' '}
          <span className="inline-block text-muted">{atApex}</span>
        </>
      )}
      <br />
      {stretchSentence(stretches, stretch, unit)}
    </>
  )
}

interface Column {
  readonly by: CornerColumn
  readonly label: string
  readonly unit?: string
  readonly hint?: string
  readonly span?: number
}

function figureColumns(unit: SpeedUnit): readonly Column[] {
  return [
    { by: 'brake', label: 'Brake', unit: 'm', hint: 'Where the braking begins, or the lift, from the line' },
    { by: 'release', label: 'Release', unit: 'm', hint: 'Where the brake is released, from the line' },
    { by: 'apex', label: 'Apex', unit: 'm', hint: 'Where the car is slowest, from the line' },
    { by: 'minSpeed', label: 'Min', unit, hint: 'Lowest speed in the corner' },
    { by: 'throttle', label: 'Throttle', unit: 'm', hint: 'Where the throttle comes back, from the line' },
  ]
}

interface HeadProps extends Column {
  readonly order: CornerOrder
  readonly onOrder: (order: CornerOrder) => void
}

function Head({ by, label, unit, hint, span, order, onOrder }: HeadProps) {
  const isSorted = order.by === by
  const Arrow = order.isDescending ? ArrowDown : ArrowUp
  const isMain = by === 'name' || by === 'loss'
  return (
    <th
      scope="col"
      colSpan={span}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      className={clsx(
        'align-top font-medium',
        by === 'name' && 'text-left',
        isMain ? 'pb-0.5' : 'pb-1 text-[11px]',
      )}
    >
      <Tooltip content={hint}>
        <button
          type="button"
          onClick={() => onOrder(nextOrder(order, by))}
          className="inline-flex min-h-6 cursor-pointer items-center gap-0.5 rounded-sm hover:text-text pointer-coarse:min-h-8"
        >
          {isSorted && by !== 'name' && <Arrow size={10} aria-hidden />}
          {label}
          {isSorted && by === 'name' && <Arrow size={10} aria-hidden />}
        </button>
      </Tooltip>
      {unit && <span className={clsx('font-normal', isMain ? 'ml-1' : '-mt-1.5 block')}>{unit}</span>}
    </th>
  )
}

interface StretchProps {
  readonly stretch: CornerComparison
  /** Names of the two laps. */
  readonly names: Readonly<Record<'lap' | 'reference', string>>
  readonly unit: SpeedUnit
  readonly isSelected: boolean
  readonly onSelect: (stretch: CornerComparison | null) => void
}

/** A row with name and loss and, for a corner, a row of figures for each lap. All of it can be pressed. */
function Stretch({ stretch, names, unit, isSelected, onSelect }: StretchProps) {
  const { name, kind, corner, lap, reference, lossMs } = stretch
  const isStraight = kind === 'straight'
  return (
    <tbody
      className={clsx(
        'relative border-line border-t',
        // Faint enough that a loss keeps its contrast.
        isSelected
          ? 'bg-accent/10 shadow-[-4px_0_var(--card),-6px_0_var(--accent)] in-data-[theme=light]:bg-accent/4'
          : 'hover:bg-raised/50',
      )}
    >
      <tr>
        <th scope="rowgroup" colSpan={4} className={clsx('pt-1 text-left font-medium', !corner && 'pb-1')}>
          <button
            type="button"
            aria-pressed={isSelected}
            onClick={() => onSelect(isSelected ? null : stretch)}
            className={clsx(
              'cursor-pointer rounded-sm text-left after:absolute after:inset-0 pointer-coarse:min-h-8',
              isStraight ? 'text-muted' : 'text-[13px]',
              kind === 'incident' && 'inline-flex items-center gap-1 text-warning',
            )}
          >
            {kind === 'incident' && <TriangleAlert size={12} aria-hidden className="shrink-0" />}
            {name}
            {corner?.knownAs && <span className="text-[11px] text-muted"> {corner.knownAs}</span>}
          </button>
        </th>
        <td className={clsx('pt-1', !corner && 'pb-1')}>
          <Loss ms={lossMs} className={clsx(!isStraight && 'font-semibold text-[13px]')} />
        </td>
      </tr>
      {lap && <Figures name={names.lap} figures={lap} unit={unit} />}
      {reference && (
        <Figures name={names.reference} figures={reference} unit={unit} className="pb-1 text-reference" />
      )}
    </tbody>
  )
}

interface FiguresProps {
  readonly name: string
  readonly figures: CornerFigures
  readonly unit: SpeedUnit
  readonly className?: string
}

/** What one driver did in a corner. A driver who does not brake has the place of the lift instead, if there is one. */
function Figures({ name, figures, unit, className }: FiguresProps) {
  const { liftM, isFlat, brakeM, releaseM, apexM, minSpeedMps, throttleM } = figures
  const isLift = brakeM === null && releaseM === null && liftM !== null
  return (
    <tr aria-label={name} className="leading-4">
      {isLift || isFlat ? (
        <td
          colSpan={2}
          className={clsx('pl-1 text-left', className)}
          title={isLift ? 'Lifted here, without braking' : 'Stayed on the throttle'}
        >
          {isLift ? `lift ${Math.round(liftM)}` : 'no lift'}
        </td>
      ) : (
        <>
          <td className={className}>{metres(brakeM)}</td>
          <td className={className}>{metres(releaseM)}</td>
        </>
      )}
      <td className={className}>{metres(apexM)}</td>
      <td className={className}>{minSpeedMps === null ? none : formatSpeed(minSpeedMps, unit)}</td>
      <td className={className}>{metres(throttleM)}</td>
    </tr>
  )
}

interface LossProps {
  readonly ms: number
  readonly withUnit?: boolean
  readonly className?: string | undefined
}

function Loss({ ms, withUnit, className }: LossProps) {
  return (
    <span
      className={clsx(
        'whitespace-nowrap tabular-nums',
        ms > 0 ? 'text-loss' : ms < 0 && 'text-gain',
        className,
      )}
    >
      {formatDelta(ms / 1000)}
      {withUnit && ' s'}
    </span>
  )
}

/** Replaces the figure of an action that did not happen, such as braking for a fast corner. */
const none = (
  <span className="text-muted" title="Not in this corner">
    –
  </span>
)

function metres(value: number | null): ReactNode {
  return value === null ? none : Math.round(value)
}
