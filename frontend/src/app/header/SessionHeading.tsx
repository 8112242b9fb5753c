import type { Preview } from '@lapwing/telemetry'
import { Cloud, CloudSun, Cloudy, type LucideIcon, Sun } from 'lucide-react'
import { formatTemperature } from '#shared/format/temperature.ts'
import { temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { type Sky, sessionTitle } from './session-title.ts'

const icons: Record<Sky, LucideIcon> = {
  Clear: Sun,
  'Partly Cloudy': CloudSun,
  'Mostly Cloudy': Cloudy,
  Overcast: Cloud,
}

/** Track, car and weather. */
export function SessionHeading({ preview }: { readonly preview: Preview }) {
  const unit = useStore(temperatureUnit)
  const { name, airTempC, sky } = sessionTitle(preview)
  const Icon = sky && icons[sky]
  const weather = [airTempC === null ? null : `Air ${formatTemperature(airTempC, unit)}`, sky]
    .filter(Boolean)
    .join(' · ')
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 pb-2.5 lg:flex-nowrap lg:pb-0">
      <title>{`${name} · Lapwing`}</title>
      <h1 className="min-w-0 text-sm font-semibold lg:truncate" title={name}>
        {name}
      </h1>
      {weather && (
        <p className="flex shrink-0 items-center gap-1.5 text-muted">
          {Icon && <Icon size={14} aria-hidden />}
          {weather}
        </p>
      )}
    </div>
  )
}
