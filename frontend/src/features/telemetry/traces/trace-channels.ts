import { pedalShare } from '@lapwing/lap-map/pedal-segments'
import type { Preview, SeriesName } from '@lapwing/telemetry'
import { formatDelta } from '#shared/format/delta.ts'
import { speedIn } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { formatGear, formatSigned } from '../describe-sample.ts'

/** What a chart draws: a series of the laps, or the delta between them. */
type TraceSeries = SeriesName | 'delta'

/** One chart of the stack. */
export interface TraceChannel {
  readonly series: TraceSeries
  readonly label: string
  /** Unit of the drawn values; empty without one. */
  readonly unit: string
  /** Plot height in pixels. */
  readonly height: number
  /** Whether the line has steps, because gears change without values between. */
  readonly isStepped: boolean
  /** Colour token of a light area under the lap's own line. `delta` is loss above zero and gain below. */
  readonly fill: 'throttle' | 'brake' | 'delta' | null
  /** Converts a value of the series to the drawn unit. */
  readonly convert: (value: number) => number
  /** Returns the bounds of the axis for the lap's lowest and highest value. */
  readonly range: (min: number, max: number) => readonly [number, number]
  /** Returns the values to mark on the axis. */
  readonly marks: (min: number, max: number) => readonly number[]
  readonly format: (value: number) => string
  /** Formats a mark on the axis, if it differs from other values. */
  readonly formatMark?: (value: number) => string
}

/** Pixels of the distance axis below the lowest chart. */
export const DISTANCE_HEIGHT = 24

const whole = (value: number) => Math.round(value).toString()
/** Draws the values as recorded, in a plain line. */
const line = {
  isStepped: false,
  fill: null,
  convert: (value: number) => value,
} satisfies Partial<TraceChannel>

const percent = {
  ...line,
  unit: '%',
  height: 40,
  convert: (value: number) => 100 * pedalShare(value),
  // Room for a whole line at 0 and at 100 %, not half of it.
  range: () => [-8, 108] as const,
  marks: () => [0, 50, 100],
  format: whole,
} satisfies Partial<TraceChannel>

export const TRACE_CHANNELS: readonly TraceChannel[] = [
  {
    ...line,
    series: 'speed',
    label: 'Speed',
    unit: 'km/h',
    height: 96,
    convert: value => speedIn('km/h', value),
    range: padded,
    marks: (min, max) => roundMarks(min, max, 3),
    format: whole,
  },
  { ...percent, series: 'throttle', label: 'Throttle', fill: 'throttle' },
  { ...percent, series: 'brake', label: 'Brake', fill: 'brake' },
  {
    ...line,
    series: 'gear',
    label: 'Gear',
    unit: '',
    height: 38,
    isStepped: true,
    range: (min, max) => [Math.min(min, 1) - 0.6, Math.max(max, 2) + 0.9],
    marks: (min, max) => [...new Set([Math.max(1, Math.ceil(min)), Math.floor(max)])],
    format: formatGear,
  },
  {
    ...line,
    series: 'rpm',
    label: 'RPM',
    unit: '',
    height: 44,
    range: padded,
    marks: (min, max) => roundMarks(min, max, 2),
    format: whole,
  },
  {
    ...line,
    series: 'steeringWheelAngle',
    label: 'Steering',
    unit: '°',
    height: 50,
    convert: value => (value * 180) / Math.PI,
    // The middle of the chart is straight ahead.
    range: (min, max) => {
      const reach = 1.1 * Math.max(20, Math.abs(min), Math.abs(max))
      return [-reach, reach]
    },
    marks: () => [0],
    format: formatSigned,
  },
]

/** Seconds behind the reference: up is slower. */
export const DELTA_CHANNEL: TraceChannel = {
  ...line,
  series: 'delta',
  label: 'Delta',
  unit: 's',
  height: 60,
  fill: 'delta',
  range: (min, max) => {
    // A tenth must look small, even between two laps that hardly differ.
    const margin = Math.max(0.05, 0.12 * (max - min))
    // A gap that hardly changes beside its size would be a flat line, so zero is only seen if it is near.
    const reach = 2 * (max - min + margin)
    return [(min > reach ? min : Math.min(0, min)) - margin, (max < -reach ? max : Math.max(0, max)) + margin]
  },
  marks: (min, max) => roundMarks(min, max, 3),
  format: formatDelta,
  // No more decimals than a round value needs.
  formatMark: value => formatDelta(value).replace(/\.?0+$/, ''),
}

/** Returns the charts for the channels that a file has, with speed in the chosen unit. */
export function channelsOf(
  preview: { readonly debug: Pick<Preview['debug'], 'missing'> },
  unit: SpeedUnit,
): readonly TraceChannel[] {
  const missing: readonly TraceSeries[] = preview.debug.missing
  return TRACE_CHANNELS.filter(channel => !missing.includes(channel.series)).map(channel =>
    channel.series === 'speed' ? { ...channel, unit, convert: value => speedIn(unit, value) } : channel,
  )
}

function padded(min: number, max: number): [number, number] {
  const margin = Math.max(1, 0.08 * (max - min))
  return [min - margin, max + margin]
}

/** Returns about `count` round values within the bounds: multiples of 1, 2 or 5 times a power of ten. */
export function roundMarks(min: number, max: number, count: number): number[] {
  const rough = (max - min) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find(factor => factor * power >= rough) ?? 10)
  const marks: number[] = []
  for (let mark = Math.ceil(min / step) * step; mark <= max; mark += step) marks.push(mark)
  return marks
}
