import type { LineClass } from '../lap-colouring.ts'

/** Pixels of the laps' lines in 3D (spec 001, 9). */
export const LINE_WIDTH = 4

/** In the colour-blind palette braking is a wide line and coasting a thin one. */
const STYLE_WIDTHS = { double: 7, plain: LINE_WIDTH, thin: 2 } as const

export function lineWidth(style: LineClass['style'], isColourBlind: boolean): number {
  return isColourBlind ? STYLE_WIDTHS[style] : LINE_WIDTH
}
