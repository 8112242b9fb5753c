import type { Preview } from '@lapwing/telemetry'

/** Names by the number in `weather.Skies`. */
const SKIES = ['Clear', 'Partly Cloudy', 'Mostly Cloudy', 'Overcast'] as const
export type Sky = (typeof SKIES)[number]

/** Returns "track — car", by the file's own names if labels are missing, and the weather; null if unknown. */
export function sessionTitle({ meta, debug }: Pick<Preview, 'meta' | 'debug'>) {
  const track = first(meta.track_label, debug.weekend.TrackDisplayName, debug.weekend.TrackName)
  const car = first(meta.car_label, debug.car.CarScreenName, debug.car.CarPath)
  const { AirTemp, Skies } = meta.weather
  return {
    name: [track, car].filter(Boolean).join(' — ') || 'Unknown track and car',
    airTempC: AirTemp !== null && Number.isFinite(AirTemp) ? AirTemp : null,
    sky: Skies === null ? null : (SKIES[Skies] ?? null),
  }
}

function first(...labels: (string | null)[]): string | undefined {
  return labels.map(label => label?.trim()).find(Boolean)
}
