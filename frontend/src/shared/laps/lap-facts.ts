import type { components } from '@lapwing/contracts/ingest'
import { formatTemperature } from '#shared/format/temperature.ts'
import type { TemperatureUnit } from '#shared/preferences/units.ts'

export type SessionKind = NonNullable<components['schemas']['SessionKind']>

/** Session kind and conditions of a lap; absent in answers of a service that is older than this page. */
export interface LapConditions {
  readonly session_kind?: SessionKind | null | undefined
  /** °C. */
  readonly air_temp_c?: number | null | undefined
  /** 0 Clear to 3 Overcast. */
  readonly skies?: number | null | undefined
}

const KINDS: Readonly<Record<SessionKind, string>> = {
  testing: 'Testing',
  practice: 'Practice',
  qualifying: 'Qualifying',
  warmup: 'Warm-up',
  race: 'Race',
  time_trial: 'Time trial',
}

/** Names by the number in `weather.Skies`. */
export const SKIES = ['Clear', 'Partly Cloudy', 'Mostly Cloudy', 'Overcast'] as const

/** Returns the words of a session kind; null if it is not known. */
export function kindWords({ session_kind }: LapConditions): string | null {
  return session_kind == null ? null : (KINDS[session_kind] ?? null)
}

/** Returns "air 72 °F · Clear", or the part that is known; null if neither is. */
export function conditionWords({ air_temp_c, skies }: LapConditions, unit: TemperatureUnit): string | null {
  const air = air_temp_c == null ? null : `air ${formatTemperature(air_temp_c, unit)}`
  const sky = skies == null ? null : (SKIES[skies] ?? null)
  return [air, sky].filter(Boolean).join(' · ') || null
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a moment of an answer as the visitor's own day; the text itself if it is no moment. */
export function formatDay(iso: string): string {
  return formatted(days, iso)
}

/** Formats a moment of an answer as the visitor's own day and minute; the text itself if it is no moment. */
export function formatMoment(iso: string): string {
  return formatted(moments, iso)
}

function formatted(format: Intl.DateTimeFormat, iso: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? iso : format.format(ms)
}
