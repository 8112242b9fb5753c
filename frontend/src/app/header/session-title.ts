import type { Preview } from '@lapwing/telemetry'

interface SessionTitle {
  /** "track — car", as far as the file names them. */
  readonly name: string
  /** °C; null if the file does not say. */
  readonly airTempC: number | null
  readonly sky: Sky | null
}

/** Names by the number in `weather.Skies`. */
const SKIES = ['Clear', 'Partly Cloudy', 'Mostly Cloudy', 'Overcast'] as const
export type Sky = (typeof SKIES)[number]

/**
 * Returns the header's texts for a session. Missing labels fall back to the file's names of track and car.
 */
export function sessionTitle({ meta, debug }: Pick<Preview, 'meta' | 'debug'>): SessionTitle {
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
