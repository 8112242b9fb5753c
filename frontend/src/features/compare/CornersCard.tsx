import type { CornerComparison } from '@lapwing/telemetry/compare'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import { type SpeedUnit, speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Card } from '#shared/ui/Card.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { asDriven, type CornerColumn, type CornerOrder, cornerRows, nextOrder } from './corner-rows.ts'

export interface CornersCardProps {
  /** Names of the two laps. */
  readonly lap: string
  readonly reference: string
  readonly stretches: readonly CornerComparison[]
  /** Name of the selected stretch; null if none of these is selected. */
  readonly selected: string | null
  /** Selects a stretch, or the whole lap (null). */
  readonly onSelect: (stretch: CornerComparison | null) => void
}

/** Lists each corner with both drivers' figures and the time lost there. The losses add up to the gap. */
export function CornersCard({ lap, reference, stretches, selected, onSelect }: CornersCardProps) {
  const unit = useStore(speedUnit)
  const [order, setOrder] = useState(asDriven)
  const [areStraightsShown, setStraightsShown] = useState(false)
  const { corners, straights, straightsMs, gapMs } = cornerRows(stretches, order)
  const row = (stretch: CornerComparison) => (
    <StretchRow
      key={stretch.name}
      stretch={stretch}
      unit={unit}
      isSelected={stretch.name === selected}
      onSelect={onSelect}
    />
  )
  return (
    <Card title="Where the time goes" aside={<Loss ms={gapMs} withUnit className="font-semibold" />}>
      <table className="mt-1 w-full border-collapse text-right text-xs tabular-nums">
        <caption className="sr-only">
          {`What ${lap} lost to ${reference}, corner by corner. Of two figures the first is ${lap}, the second ${reference}.`}
        </caption>
        <thead className="text-muted">
          <tr>
            {columns(unit).map(column => (
              <Head key={column.by} {...column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>{corners.map(row)}</tbody>
        {straights.length > 0 && (
          <tbody>
            <tr className="relative border-line border-t hover:bg-raised">
              <th scope="row" colSpan={4} className="py-1.5 text-left font-medium">
                <button
                  type="button"
                  aria-expanded={areStraightsShown}
                  onClick={() => setStraightsShown(!areStraightsShown)}
                  className="flex cursor-pointer items-center gap-1 rounded-sm after:absolute after:inset-0 pointer-coarse:min-h-8"
                >
                  {areStraightsShown ? (
                    <ChevronDown size={12} aria-hidden />
                  ) : (
                    <ChevronRight size={12} aria-hidden />
                  )}
                  Straights
                </button>
              </th>
              <td className="py-1.5">
                <Loss ms={straightsMs} />
              </td>
            </tr>
            {areStraightsShown && straights.map(row)}
          </tbody>
        )}
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

interface Column {
  readonly by: CornerColumn
  readonly label: string
  readonly unit: string
  readonly hint?: string
}

function columns(unit: SpeedUnit): readonly Column[] {
  return [
    { by: 'name', label: 'Corner', unit: '' },
    { by: 'brake', label: 'Brake', unit: 'm', hint: 'Where the braking begins, from the line' },
    { by: 'minSpeed', label: 'Min', unit, hint: 'Lowest speed in the corner' },
    { by: 'throttle', label: 'Throttle', unit: 'm', hint: 'Where the throttle comes back, from the line' },
    { by: 'loss', label: 'Loss', unit: 's', hint: 'Time lost to the reference' },
  ]
}

interface HeadProps extends Column {
  readonly order: CornerOrder
  readonly onOrder: (order: CornerOrder) => void
}

function Head({ by, label, unit, hint, order, onOrder }: HeadProps) {
  const isSorted = order.by === by
  const Arrow = order.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      className={clsx('pb-1 align-top font-medium', by === 'name' && 'text-left')}
    >
      <Tooltip content={hint}>
        <button
          type="button"
          onClick={() => onOrder(nextOrder(order, by))}
          className="inline-flex cursor-pointer items-center gap-0.5 rounded-sm hover:text-text pointer-coarse:min-h-8"
        >
          {isSorted && by !== 'name' && <Arrow size={10} aria-hidden />}
          {label}
          {isSorted && by === 'name' && <Arrow size={10} aria-hidden />}
        </button>
      </Tooltip>
      <span className="block font-normal">{unit}</span>
    </th>
  )
}

interface StretchRowProps {
  readonly stretch: CornerComparison
  readonly unit: SpeedUnit
  readonly isSelected: boolean
  readonly onSelect: (stretch: CornerComparison | null) => void
}

function StretchRow({ stretch, unit, isSelected, onSelect }: StretchRowProps) {
  const { name, kind, corner, lap, reference, lossMs } = stretch
  const isCorner = kind === 'corner'
  return (
    <tr
      className={clsx(
        'relative border-line border-t',
        isSelected ? 'bg-accent/10 shadow-[-4px_0_var(--card),-6px_0_var(--accent)]' : 'hover:bg-raised',
      )}
    >
      <th
        scope="row"
        colSpan={isCorner ? 1 : 4}
        className={clsx('py-1 text-left font-medium', !isCorner && 'pl-4')}
      >
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={() => onSelect(isSelected ? null : stretch)}
          className={clsx(
            'cursor-pointer rounded-sm text-left after:absolute after:inset-0 pointer-coarse:min-h-8',
            isCorner ? 'text-[13px]' : 'text-muted',
            corner?.knownAs && 'block',
          )}
        >
          {name}
          {/* The figures beside it have two lines too, so a name does not make the row taller. */}
          {corner?.knownAs && (
            <span className="block text-[11px] text-muted leading-3">{corner.knownAs}</span>
          )}
        </button>
      </th>
      {isCorner && (
        <>
          <Figures lap={metres(lap?.brakeM)} reference={metres(reference?.brakeM)} />
          <Figures lap={speed(lap?.minSpeedMps, unit)} reference={speed(reference?.minSpeedMps, unit)} />
          <Figures lap={metres(lap?.throttleM)} reference={metres(reference?.throttleM)} />
        </>
      )}
      <td className="py-1">
        <Loss ms={lossMs} className={clsx(isCorner && 'font-semibold text-[13px]')} />
      </td>
    </tr>
  )
}

/** The driver's own figure above the reference's. */
function Figures({ lap, reference }: { readonly lap: ReactNode; readonly reference: ReactNode }) {
  return (
    <td className="py-1">
      <span className="block">{lap}</span>
      <span className="block text-reference">{reference}</span>
    </td>
  )
}

interface LossProps {
  readonly ms: number
  readonly withUnit?: boolean
  readonly className?: string | undefined
}

function Loss({ ms, withUnit, className }: LossProps) {
  return (
    <span className={clsx('tabular-nums', ms > 0 ? 'text-loss' : ms < 0 && 'text-gain', className)}>
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

function metres(value: number | null | undefined): ReactNode {
  return value == null ? none : Math.round(value)
}

function speed(value: number | null | undefined, unit: SpeedUnit): ReactNode {
  return value == null ? none : formatSpeed(value, unit)
}
