import type { Lap, PreviewMeta } from '@lapwing/telemetry'

/** Red, green and blue from 0 to 1, linear. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Light and colours of the scene: sun, sky, land and road. */
export interface SkyLight {
  /** Unit vector to the sun: east, up, south. */
  readonly sun: readonly [x: number, y: number, z: number]
  readonly sunColour: Rgb
  /** Light from above and from below. */
  readonly fromSky: Rgb
  readonly fromGround: Rgb
  readonly zenith: Rgb
  readonly horizon: Rgb
  /** Share of the sky under clouds. */
  readonly clouds: number
  /** Land low and high, and the road. */
  readonly land: readonly [Rgb, Rgb]
  readonly road: Rgb
  /** Brightness of the lines beside the road. */
  readonly paint: number
}

/** Returns the time of day when a lap begins, in seconds since midnight; null if the file does not state it. */
export function timeOfLapS(
  { time_of_day_s, sample_rate_hz }: Pick<PreviewMeta, 'time_of_day_s' | 'sample_rate_hz'>,
  { row_start }: Pick<Lap, 'row_start'>,
): number | null {
  return time_of_day_s === null ? null : time_of_day_s + row_start / sample_rate_hz
}

export interface SkyInput {
  /** 0 Clear, 1 Partly Cloudy, 2 Mostly Cloudy, 3 Overcast; null if unknown. */
  readonly skies: 0 | 1 | 2 | 3 | null
  /** Seconds since midnight; null if unknown. */
  readonly timeOfDayS: number | null
  readonly isDarkTheme: boolean
}

const CLOUDS = [0.06, 0.42, 0.68, 1] as const

/** Hours. Without a time of day, the sun is low enough to show the shape of the land. */
const USUAL_HOUR = 17.2
const SUNRISE = 6
const SUNSET = 20
const HIGHEST_SUN_DEG = 52

/**
 * Returns the light of a session: the sun by the time of day, the sky by the weather. The dark theme dims all
 * of it, so that the lap is the brightest thing on the screen.
 */
export function skyLight({ skies, timeOfDayS, isDarkTheme }: SkyInput): SkyLight {
  const hour = timeOfDayS === null ? USUAL_HOUR : (timeOfDayS / 3600) % 24
  const day = (hour - SUNRISE) / (SUNSET - SUNRISE)
  const height = Math.sin(Math.PI * day) * HIGHEST_SUN_DEG
  // At night the moon takes the sun's part, so that the land keeps its shape.
  const isNight = day < 0 || day > 1
  const azimuth = radians(isNight ? 150 : 90 + 180 * day)
  const altitude = radians(isNight ? 40 : Math.max(9, height))
  const warmth = isNight ? 0 : 1 - smooth((height - 4) / 30)
  const daylight = isNight ? 0.16 : 0.35 + 0.65 * smooth((height + 2) / 24)
  const clouds = CLOUDS[skies ?? 0]
  const grade = (isDarkTheme ? 0.46 : 1) * daylight
  const sunShare = 1 - 0.72 * clouds ** 2
  const sunTint: Rgb = isNight ? [0.62, 0.74, 1] : mix([1, 0.96, 0.88], [1, 0.66, 0.38], warmth)
  const clearZenith: Rgb = isDarkTheme ? [0.07, 0.13, 0.24] : [0.22, 0.46, 0.82]
  const clearHorizon: Rgb = isDarkTheme ? [0.3, 0.38, 0.46] : [0.78, 0.88, 0.97]
  const grey: Rgb = isDarkTheme ? [0.22, 0.25, 0.29] : [0.72, 0.76, 0.8]
  const glow: Rgb = isDarkTheme ? [0.5, 0.3, 0.2] : [1, 0.74, 0.5]
  const horizon = scale(mix(mix(clearHorizon, glow, 0.6 * warmth), grey, 0.75 * clouds ** 2), daylight)
  return {
    sun: [
      Math.sin(azimuth) * Math.cos(altitude),
      Math.sin(altitude),
      -Math.cos(azimuth) * Math.cos(altitude),
    ],
    sunColour: scale(sunTint, 1.75 * sunShare * grade),
    fromSky: scale(mix([0.56, 0.68, 0.86], [0.8, 0.82, 0.84], clouds), (0.4 + 0.4 * clouds) * grade),
    fromGround: scale([0.34, 0.33, 0.28], 0.55 * grade),
    zenith: scale(mix(clearZenith, grey, 0.85 * clouds ** 2), daylight),
    horizon,
    clouds,
    land: isDarkTheme
      ? [
          [0.082, 0.125, 0.088],
          [0.175, 0.19, 0.128],
        ]
      : [
          [0.23, 0.35, 0.16],
          [0.44, 0.46, 0.24],
        ],
    road: isDarkTheme ? [0.1, 0.108, 0.124] : [0.12, 0.125, 0.138],
    paint: isDarkTheme ? 0.75 : 1,
  }
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

const smooth = (value: number) => {
  const part = Math.min(1, Math.max(0, value))
  return part * part * (3 - 2 * part)
}

const scale = ([r, g, b]: Rgb, by: number): Rgb => [r * by, g * by, b * by]

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]
