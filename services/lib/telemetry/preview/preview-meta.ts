import type { SessionFacts } from '../session/session-facts.ts'
import type { PreviewMeta } from './preview.ts'
import { slug } from './slug.ts'

/**
 * Returns the board of a session and the texts that the page shows (D-4). Slugs are never empty: a file with
 * an unreadable session text belongs to the board `unknown`.
 */
export function previewMeta(
  facts: SessionFacts,
  sampleRateHz: number,
  timeOfDayS: number | null,
): PreviewMeta {
  const track = named(facts.trackDisplayName) ?? named(facts.trackName)
  const layout = named(facts.trackConfigName)
  return {
    sim: 'iracing',
    track_slug: slug(track),
    layout: slug(layout, 'default'),
    car_slug: slug(facts.carPath ?? facts.carScreenName),
    track_label: track === null ? 'Unknown track' : layout === null ? track : `${track}, ${layout}`,
    car_label: named(facts.carScreenName) ?? named(facts.carPath) ?? 'Unknown car',
    track_length_m: facts.trackLengthM,
    red_line_rpm: facts.redLineRpm,
    shift_rpm: facts.shiftRpm,
    sample_rate_hz: sampleRateHz,
    time_of_day_s: timeOfDayS,
    weather: { AirTemp: facts.airTempC, Skies: facts.skies },
  }
}

function named(text: string | null): string | null {
  const name = text?.trim() ?? ''
  return name === '' ? null : name
}
