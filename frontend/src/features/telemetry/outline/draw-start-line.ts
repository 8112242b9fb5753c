import { FIT_PADDING } from '@lapwing/lap-map/fit'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import type { StartLine } from './start-line.ts'

/** Pixels from the road's edge to the arrow, and half the arrow's own width. */
const ARROW_GAP = 12
const ARROW_REACH = 5

/**
 * Draws a bar across the road, and beside it an arrow in the driving direction. The context draws in metres.
 * `band` is the road's width in metres, `pixel` the metres of one pixel.
 */
export function drawStartLine(
  context: CanvasRenderingContext2D,
  line: StartLine,
  geometry: OutlineGeometry,
  band: number,
  pixel: number,
  tokens: DrawingTokens,
) {
  context.save()
  context.translate(line.x, line.y)
  context.rotate(line.heading)
  context.lineCap = 'butt'
  context.strokeStyle = tokens.text
  context.lineWidth = 3 * pixel
  context.beginPath()
  context.moveTo(0, -band / 2 - 3 * pixel)
  context.lineTo(0, band / 2 + 3 * pixel)
  context.stroke()

  const away = band / 2 + ARROW_GAP * pixel
  const side = hasRoom(line, geometry, away + ARROW_REACH * pixel, pixel) ? line.outside : -line.outside
  const beside = side * away
  context.lineCap = 'round'
  context.strokeStyle = tokens.muted
  context.lineWidth = 2 * pixel
  context.beginPath()
  context.moveTo(-7 * pixel, beside)
  context.lineTo(12 * pixel, beside)
  context.moveTo(7 * pixel, beside - ARROW_REACH * pixel)
  context.lineTo(12 * pixel, beside)
  context.lineTo(7 * pixel, beside + ARROW_REACH * pixel)
  context.stroke()
  context.restore()
}

/** Returns whether the arrow outside of the lap is inside the fitted canvas. */
function hasRoom(line: StartLine, geometry: OutlineGeometry, reach: number, pixel: number): boolean {
  const x = line.x - line.outside * Math.sin(line.heading) * reach
  const y = line.y + line.outside * Math.cos(line.heading) * reach
  const padding = FIT_PADDING * pixel
  return Math.abs(x) <= geometry.halfWidth + padding && Math.abs(y) <= geometry.halfHeight + padding
}
