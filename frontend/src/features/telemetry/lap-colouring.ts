import { type PedalState, pedalState, type Run, runsOf } from '@lapwing/lap-map/pedal-segments'
import type { LapSeries } from './lap-series.ts'
import type { DrawingTokens } from './read-tokens.ts'

/** A colour of a lap's line. */
export interface LineClass {
  readonly colour: string
  /** Pixels. */
  readonly width: number
}

/** How the line of a lap is coloured. */
export interface LapColouring {
  readonly classes: readonly LineClass[]
  /** Stretches of the lap in the order driven; `state` is the index of a class. */
  readonly runs: readonly Run<number>[]
}

/** Pixels of a line in 3D (spec 001, 9). */
const WIDTH = 4

const STATES: readonly PedalState[] = ['brake', 'throttle', 'coast']

/** Colours a lap by its pedals. Without colours, braking is a wide line and coasting a thin one. */
export function pedalColouring({ preview, lap }: LapSeries, tokens: DrawingTokens): LapColouring {
  const { throttle, brake } = preview
  return {
    classes: [
      { colour: tokens.brake, width: tokens.isColourBlind ? WIDTH + 3 : WIDTH },
      { colour: tokens.throttle, width: WIDTH },
      { colour: '#ffffff', width: tokens.isColourBlind ? WIDTH / 2 : WIDTH },
    ],
    runs: runsOf(row => STATES.indexOf(pedalState(throttle[row], brake[row])), lap.row_start, lap.row_end),
  }
}
