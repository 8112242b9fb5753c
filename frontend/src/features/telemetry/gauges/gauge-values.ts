import { PEDAL_THRESHOLD, pedalShare } from '@lapwing/lap-map/pedal-segments'
import type { PreviewMeta } from '@lapwing/telemetry'
import { formatSpeed } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { formatGear, formatSigned } from '../describe-sample.ts'
import { heldGears } from '../held-gears.ts'
import type { Recording } from '../lap-series.ts'

/** Engine speed in rpm at the end of the gauge, and the shares of it for amber and red (spec 000, 9). */
export const RPM_FULL_SCALE = 8000
const RPM_AMBER = 0.75
const RPM_RED = 0.85

/** A mark of the car on the engine's gauge. */
export interface RpmMark {
  /** "Shift". */
  readonly label: string
  readonly rpm: number
  /** 0..1 of the gauge. */
  readonly share: number
}

/** Returns the marks of shift light and red line; none that the file does not state or the gauge does not reach. */
export function rpmMarks(meta: Pick<PreviewMeta, 'shift_rpm' | 'red_line_rpm'>): readonly RpmMark[] {
  const marks = [
    { label: 'Shift', rpm: meta.shift_rpm },
    { label: 'Red line', rpm: meta.red_line_rpm },
  ]
  return marks.flatMap(({ label, rpm }) =>
    rpm === null || rpm > RPM_FULL_SCALE ? [] : { label, rpm: Math.round(rpm), share: rpm / RPM_FULL_SCALE },
  )
}

/** The values of one sample for the gauges. */
export interface GaugeValues {
  readonly throttle: PedalValue
  readonly brake: PedalValue
  readonly rpm: {
    readonly text: string
    readonly value: number
    readonly share: number
    readonly band: 'normal' | 'amber' | 'red'
  }
  readonly gear: string
  /** In the chosen unit; "–" if the file has no speed. */
  readonly speed: string
  readonly steering: { readonly text: string; readonly degrees: number }
}

export interface PedalValue {
  /** 0..1 */
  readonly share: number
  /** Whole percent. */
  readonly text: string
  /** Whether the pedal is past the threshold of its colour. */
  readonly isPressed: boolean
}

export function gaugeValues(preview: Recording, row: number, unit: SpeedUnit): GaugeValues {
  const rpm = preview.rpm[row] ?? Number.NaN
  const speed = preview.speed[row] ?? Number.NaN
  const degrees = ((preview.steeringWheelAngle[row] ?? Number.NaN) * 180) / Math.PI
  const isRpm = Number.isFinite(rpm)
  const rpmShare = isRpm ? Math.min(1, Math.max(0, rpm / RPM_FULL_SCALE)) : 0
  return {
    throttle: pedalValue(preview.throttle[row]),
    brake: pedalValue(preview.brake[row]),
    rpm: {
      text: isRpm ? Math.round(rpm).toString() : '–',
      value: isRpm ? rpm : 0,
      share: rpmShare,
      band: rpmBand(rpmShare),
    },
    gear: preview.debug.missing.includes('gear') ? '–' : formatGear(heldGears(preview)[row] ?? 0),
    speed: Number.isFinite(speed) ? formatSpeed(speed, unit) : '–',
    steering: Number.isFinite(degrees)
      ? { text: `${formatSigned(degrees)}°`, degrees }
      : { text: '–', degrees: 0 },
  }
}

export function rpmBand(share: number): GaugeValues['rpm']['band'] {
  if (share >= RPM_RED) return 'red'
  return share >= RPM_AMBER ? 'amber' : 'normal'
}

function pedalValue(value: number | undefined): PedalValue {
  const share = pedalShare(value)
  return { share, text: Math.round(100 * share).toString(), isPressed: share > PEDAL_THRESHOLD }
}
