import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { formatGear } from './describe-sample.ts'
import {
  type ColourBy,
  deltaColours,
  deltaRange,
  GEAR_COLOURS,
  SPEED_COLOURS,
  speedRange,
} from './lap-colouring.ts'
import type { LapComparison } from './lap-comparison.ts'
import type { LapSeries } from './lap-series.ts'

interface ColourLegendProps {
  readonly by: ColourBy
  readonly series: LapSeries
  readonly comparison: LapComparison | null
  /** On a map, coasting is white in both themes. */
  readonly isOnMap: boolean
  /** Keeps its room for what is shown in its place. */
  readonly isHidden: boolean
}

/**
 * Explains the colours of a lap's line on outline, map and scene, in words beside each, and the styles of lines if the
 * colour-blind palette is chosen.
 */
export function ColourLegend({ by, series, comparison, isOnMap, isHidden }: ColourLegendProps) {
  return (
    <ul
      aria-label="Colours of the lap"
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-1 pl-1 text-muted text-xs',
        isHidden && 'invisible',
      )}
    >
      {by === 'speed' ? (
        <SpeedScale series={series} />
      ) : by === 'gear' ? (
        <Gears series={series} />
      ) : by === 'delta' && comparison ? (
        <DeltaScale comparison={comparison} />
      ) : (
        <States of={by === 'gain' ? 'gain' : 'pedals'} isOnMap={isOnMap} />
      )}
      {comparison && (
        <Entry
          label="Reference"
          mark={
            <span className="w-3.5 border-reference border-t-[3px] in-data-[palette=colour-blind]:border-dashed" />
          }
        />
      )}
    </ul>
  )
}

function Entry({ label, mark }: { readonly label: string; readonly mark: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className="grid">
        {mark}
      </span>
      {label}
    </li>
  )
}

const STATES = {
  pedals: [
    { label: 'Throttle', colour: 'bg-throttle', style: 'plain' },
    { label: 'Brake', colour: 'bg-brake', style: 'double' },
    { label: 'Coast', colour: 'bg-[var(--coast)]', style: 'thin' },
  ],
  gain: [
    { label: '− Gaining', colour: 'bg-gain', style: 'plain' },
    { label: '+ Losing', colour: 'bg-loss', style: 'double' },
    { label: 'Level', colour: 'bg-[var(--coast)]', style: 'thin' },
  ],
} as const

function States({ of, isOnMap }: { readonly of: keyof typeof STATES; readonly isOnMap: boolean }) {
  return STATES[of].map(({ label, colour, style }) => (
    <Entry
      key={label}
      label={label}
      mark={
        <span
          className={clsx('grid h-[3px] w-3.5 items-center rounded-full', colour, {
            'bg-white! outline-1 outline-black/60': style === 'thin' && isOnMap,
            'in-data-[palette=colour-blind]:h-[6px]': style === 'double',
            'in-data-[palette=colour-blind]:h-[1.5px]': style === 'thin',
          })}
        >
          {style === 'double' && (
            <span className="hidden h-[2px] bg-raised in-data-[palette=colour-blind]:block" />
          )}
        </span>
      }
    />
  ))
}

function Gears({ series: { preview, lap } }: Pick<ColourLegendProps, 'series'>) {
  const gears = new Set(preview.gear.slice(lap.row_start, lap.row_end + 1))
  return [...gears]
    .sort((a, b) => a - b)
    .map(gear => (
      <Entry
        key={gear}
        label={formatGear(gear)}
        mark={<Bar colours={[GEAR_COLOURS[Math.min(GEAR_COLOURS.length - 1, Math.max(0, gear))]!]} />}
      />
    ))
}

function SpeedScale({ series }: Pick<ColourLegendProps, 'series'>) {
  const unit = useStore(speedUnit)
  const { from, to } = speedRange(series)
  return (
    <Scale
      name="Speed"
      from={formatSpeed(from, unit)}
      to={`${formatSpeed(to, unit)} ${unit}`}
      colours={SPEED_COLOURS}
    />
  )
}

function DeltaScale({ comparison }: { readonly comparison: LapComparison }) {
  const most = deltaRange(comparison)
  // The page's own colours, which follow the theme and the palette.
  const colours = deltaColours({ gain: cssColour('--gain'), loss: cssColour('--loss') })
  return (
    <Scale name="Delta" from={`${formatDelta(-most)} s`} to={`${formatDelta(most)} s`} colours={colours} />
  )
}

interface ScaleProps {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly colours: readonly string[]
}

function Scale({ name, from, to, colours }: ScaleProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 tabular-nums">
      <span className="text-text">{name}</span>
      <span>{from}</span>
      <Bar colours={colours} />
      <span>{to}</span>
    </li>
  )
}

function Bar({ colours }: Pick<ScaleProps, 'colours'>) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${colours.length} 1`}
      preserveAspectRatio="none"
      className={clsx('outline-1 outline-black/40', colours.length > 1 ? 'h-1.5 w-20' : 'h-[3px] w-3.5')}
    >
      {colours.map((colour, i) => (
        <rect key={colour} x={i} width={1.02} height={1} fill={colour} />
      ))}
    </svg>
  )
}

const cssColour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
