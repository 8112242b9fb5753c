import type { LapFigures } from '@lapwing/telemetry'
import type { ReactNode } from 'react'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import { formatTemperature } from '#shared/format/temperature.ts'
import { speedUnit, temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Card } from '#shared/ui/Card.tsx'

interface LapFiguresCardProps {
  /** Name of the lap. */
  readonly lap: string
  readonly figures: LapFigures
}

/** Figures of one lap: each only if the file has it, and no card without any. */
export function LapFiguresCard({ lap, figures }: LapFiguresCardProps) {
  const speed = useStore(speedUnit)
  const temperature = useStore(temperatureUnit)
  const { sectors_s, top_speed_mps, fuel_used_l, tyre_temps_c, track_temp_c, incident_points } = figures
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    ...sectors_s.map(
      (seconds, i) => [`Sector ${i + 1}`, formatLapTimeMs(Math.round(1000 * seconds))] as const,
    ),
    ['Top speed', top_speed_mps !== null && `${formatSpeed(top_speed_mps, speed)} ${speed}`],
    ['Fuel used', fuel_used_l !== null && `${fuel_used_l.toFixed(2)} L`],
    ['Tyres, front', axle(tyre_temps_c.slice(0, 2))],
    ['Tyres, rear', axle(tyre_temps_c.slice(2))],
    ['Track', track_temp_c !== null && formatTemperature(track_temp_c, temperature)],
    ['Incidents', incident_points !== null && `${incident_points}x`],
  ]
  const known = rows.filter(([, value]) => value !== false)
  if (known.length === 0) return null

  function axle([left, right]: readonly number[]): string | false {
    if (left === undefined || right === undefined) return false
    const [leftWords, rightWords] = [left, right].map(each => formatTemperature(each, temperature))
    return `${leftWords!.split(' ')[0]} / ${rightWords}`
  }

  return (
    <Card
      data-shows-values
      title="Lap figures"
      aside={<span className="font-semibold text-muted text-xs">{lap}</span>}
    >
      <dl className="mt-1 tabular-nums">
        {known.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-line py-0.5 not-first:border-t">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
