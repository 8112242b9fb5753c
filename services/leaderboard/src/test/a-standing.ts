import { createHash } from 'node:crypto'

/** A standing as ingest sends it. */
export interface WireStanding {
  readonly user_id: string
  readonly combination: typeof summit
  readonly version: number
  readonly complete: WireLap | null
  readonly clean: WireLap | null
}

export interface WireLap {
  readonly lap_id: string
  readonly time_ms: number
  readonly recorded_at: string
  readonly is_clean: boolean
  readonly reference_available?: boolean
  readonly driven_at?: string | null
  readonly session_kind?: string | null
  readonly air_temp_c?: number | null
  readonly skies?: number | null
}

export const summit = {
  sim: 'iracing',
  track_slug: 'summit-point-raceway',
  layout: 'default',
  car_slug: 'mx5-mx52016',
  alias_slug: null as string | null,
  track_label: 'Summit Point Raceway',
  car_label: 'Mazda MX-5 Cup',
  track_id: 9 as number | null,
  car_id: 67 as number | null,
}

/** Address of the page of `summit`; a test can append parameters. */
export const summitPage =
  '/api/leaderboards?sim=iracing&track_slug=summit-point-raceway&layout=default&car_slug=mx5-mx52016'

/** Returns a lap id that depends only on the name. */
export function lapIdOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function aLap(timeMs: number, changes: Partial<WireLap> & { readonly of?: string } = {}): WireLap {
  const { of = '', ...others } = changes
  return {
    lap_id: lapIdOf(`${of} ${timeMs}`),
    time_ms: timeMs,
    recorded_at: '2026-03-01T12:00:00.000000Z',
    is_clean: true,
    ...others,
  }
}

/** Returns a driver's first standing with one clean lap of that time, with `changes` applied. */
export function aStanding(userId: string, timeMs: number, changes: Partial<WireStanding> = {}): WireStanding {
  const lap = aLap(timeMs, { of: userId })
  return { user_id: userId, combination: summit, version: 1, complete: lap, clean: lap, ...changes }
}
