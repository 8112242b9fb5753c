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
  readonly by: Exclude<ColourBy, 'pedals'>
  readonly series: LapSeries
  readonly comparison: LapComparison | null
}

/** Explains the colours of a lap's line on the map and in the scene, in words beside each end. */
export function ColourLegend({ by, series, comparison }: ColourLegendProps) {
  const unit = useStore(speedUnit)
  if (by === 'gear') return <GearLegend series={series} />
  if (by === 'speed') {
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
  if (!comparison) return null
  const most = deltaRange(comparison)
  // The page's own colours, which follow the theme and the palette.
  const colours = deltaColours({ gain: cssColour('--gain'), loss: cssColour('--loss') })
  return (
    <Scale
      name={`Delta to ${comparison.reference.name}`}
      from={`${formatDelta(-most)} s ahead`}
      to={`${formatDelta(most)} s behind`}
      colours={colours}
    />
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
    <p className="flex flex-wrap items-center gap-x-2 pl-1 text-muted text-xs tabular-nums">
      <span className="text-text">{name}</span>
      <span>{from}</span>
      <svg aria-hidden="true" viewBox={`0 0 ${colours.length} 1`} preserveAspectRatio="none" className={BAR}>
        {colours.map((colour, i) => (
          <rect key={colour} x={i} width={1.02} height={1} fill={colour} />
        ))}
      </svg>
      <span>{to}</span>
    </p>
  )
}

const BAR = 'h-1.5 w-24 rounded-full outline-1 outline-black/40'

function GearLegend({ series: { preview, lap } }: Pick<ColourLegendProps, 'series'>) {
  const gears = new Set(preview.gear.slice(lap.row_start, lap.row_end + 1))
  return (
    <ul aria-label="Colours of the gears" className="flex flex-wrap gap-x-3 pl-1 text-muted text-xs">
      {[...gears]
        .sort((a, b) => a - b)
        .map(gear => (
          <li key={gear} className="flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 14 3" className="h-[3px] w-3.5 outline-1 outline-black/40">
              <rect
                width={14}
                height={3}
                fill={GEAR_COLOURS[Math.min(GEAR_COLOURS.length - 1, Math.max(0, gear))]}
              />
            </svg>
            {formatGear(gear)}
          </li>
        ))}
    </ul>
  )
}

const cssColour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
