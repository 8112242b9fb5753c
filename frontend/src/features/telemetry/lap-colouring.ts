import { type PedalState, pedalState, type Run, runsOf } from '@lapwing/lap-map/pedal-segments'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { createStore } from '#shared/store/store.ts'
import { GAIN_STATES, gainClasses } from './gain-classes.ts'
import { deltaAt, type LapComparison, shareAt } from './lap-comparison.ts'
import type { LapSeries } from './lap-series.ts'
import { lapSeconds } from './lap-time.ts'

/** What the colour of a lap's line shows. */
export type ColourBy = 'pedals' | 'speed' | 'gear' | 'delta' | 'gain'

/** What the driver wants the colours to show, on outline, map and scene. Remembered while the page is open. */
export const wantedColours = createStore<ColourBy>('pedals')

/** Returns what the colours show: without a delta to a reference, those that need it become the pedals. */
export function shownColours(wanted: ColourBy, hasDelta: boolean): ColourBy {
  return (wanted === 'delta' || wanted === 'gain') && !hasDelta ? 'pedals' : wanted
}

/** A colour of a lap's line, and the line's style in the colour-blind palette. */
export interface LineClass {
  readonly colour: string
  readonly style: 'plain' | 'double' | 'thin'
}

/** How the line of a lap is coloured. */
export interface LapColouring {
  readonly classes: readonly LineClass[]
  /** Returns the index of a row's class. */
  readonly classOf: (row: number) => number
}

const STATES: readonly PedalState[] = ['brake', 'throttle', 'coast']
/** Of the states of pedals, and of gain and loss. */
const STYLES = ['double', 'plain', 'thin'] as const

/** Neither pedal, no delta. White shows on every map (spec 001, 3). */
export const MAP_NEUTRAL = '#ffffff'

/** From slow to fast: each step is brighter, so that nobody needs to tell red from green. */
export const SPEED_COLOURS = [
  '#4c6ef5',
  '#3d8bfd',
  '#22b8cf',
  '#2dc9a0',
  '#7bd65f',
  '#b9e04d',
  '#ffe066',
] as const

/** Of reverse and neutral, and then of each gear; the last one is of all higher gears. */
export const GEAR_COLOURS = [
  '#98a3b3',
  '#e69f00',
  '#56b4e9',
  '#2dc9a0',
  '#f0e442',
  '#4a7fe0',
  '#f4713a',
  '#d895bd',
  '#ffffff',
] as const

/** Steps of the delta, from gain over none to loss. */
const DELTA_STEPS = 9

/** Returns the colouring of a lap. By delta or gain without a delta, it is that of the pedals. */
export function colourLap(
  by: ColourBy,
  series: LapSeries,
  comparison: LapComparison | null,
  tokens: DrawingTokens,
  neutral = MAP_NEUTRAL,
): LapColouring {
  const { preview } = series
  const delta = comparison?.delta ?? null
  if (by === 'speed') {
    const { from, to } = speedRange(series)
    return {
      classes: plain(SPEED_COLOURS),
      classOf: row => stepOf((preview.speed[row]! - from) / (to - from), SPEED_COLOURS.length),
    }
  }
  if (by === 'gear') {
    const last = GEAR_COLOURS.length - 1
    return {
      classes: plain(GEAR_COLOURS),
      classOf: row => Math.min(last, Math.max(0, preview.gear[row]!)),
    }
  }
  if (by === 'delta' && delta) {
    const most = deltaRange(comparison!)
    return {
      classes: plain(deltaColours(tokens)),
      classOf: row => stepOf((deltaAt(delta, shareAt(series, row)) / most + 1) / 2, DELTA_STEPS),
    }
  }
  if (by === 'gain' && delta) {
    const { lap } = series
    const shares = preview.lapDistPct.subarray(lap.row_start, lap.row_end + 1)
    const classes = gainClasses(shares, delta, lapSeconds(series))
    return {
      classes: styled(GAIN_STATES.map(state => (state === 'level' ? neutral : tokens[state]))),
      classOf: row => classes[row - lap.row_start]!,
    }
  }
  const { throttle, brake } = preview
  return {
    classes: styled(STATES.map(state => (state === 'coast' ? neutral : tokens[state]))),
    classOf: row => STATES.indexOf(pedalState(throttle[row], brake[row])),
  }
}

/** Returns the rows of a lap in runs of one class, in the order driven. */
export const colourRuns = ({ classOf }: LapColouring, { lap }: Pick<LapSeries, 'lap'>): Run<number>[] =>
  runsOf(classOf, lap.row_start, lap.row_end)

const styled = (colours: readonly string[]) => colours.map((colour, i) => ({ colour, style: STYLES[i]! }))

const plain = (colours: readonly string[]) => colours.map(colour => ({ colour, style: 'plain' as const }))

/** Returns the step of a share from 0 to 1; the first one if the share is NaN. */
function stepOf(share: number, steps: number): number {
  return Number.isFinite(share) ? Math.min(steps - 1, Math.max(0, Math.floor(share * steps))) : 0
}

/** Returns the slowest and fastest speeds of a lap in m/s; `to` is always above `from`. */
export function speedRange({ preview, lap }: LapSeries): { readonly from: number; readonly to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = lap.row_start; row <= lap.row_end; row++) {
    const speed = preview.speed[row]!
    if (speed < from) from = speed
    if (speed > to) to = speed
  }
  return from < to ? { from, to } : { from: 0, to: 1 }
}

/** Seconds. A smaller delta has the same colours, so that two equal laps stay pale. */
const LEAST_DELTA_S = 0.1

/** Returns the largest gain or loss of a lap in seconds. */
export function deltaRange({ delta }: LapComparison): number {
  let most = LEAST_DELTA_S
  for (const seconds of delta?.seconds ?? []) most = Math.max(most, Math.abs(seconds) || 0)
  return most
}

/** Returns the colours from the largest gain over white to the largest loss. */
export function deltaColours({ gain, loss }: Pick<DrawingTokens, 'gain' | 'loss'>): string[] {
  const middle = (DELTA_STEPS - 1) / 2
  return Array.from({ length: DELTA_STEPS }, (_, step) =>
    mix('#ffffff', step < middle ? gain : loss, Math.abs(step - middle) / middle),
  )
}

/** Mixes two colours such as "#1a2b3c". */
function mix(one: string, other: string, share: number): string {
  const part = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const parts = [1, 3, 5].map(at => Math.round(part(one, at) * (1 - share) + part(other, at) * share))
  return `#${parts.map(value => value.toString(16).padStart(2, '0')).join('')}`
}
