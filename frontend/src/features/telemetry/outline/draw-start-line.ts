import type { DrawingTokens } from '../read-tokens.ts'
import type { StartLine } from './start-line.ts'

/**
 * A bar across the road, and outside of it an arrow the way the lap is driven. The context draws in
 * metres; `band` is the road's width and `pixel` the size of a pixel in them.
 */
export function drawStartLine(
  context: CanvasRenderingContext2D,
  line: StartLine,
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
  const beside = line.outside * (band / 2 + 12 * pixel)
  context.strokeStyle = tokens.muted
  context.lineWidth = 2 * pixel
  context.beginPath()
  context.moveTo(-7 * pixel, beside)
  context.lineTo(12 * pixel, beside)
  context.moveTo(7 * pixel, beside - 5 * pixel)
  context.lineTo(12 * pixel, beside)
  context.lineTo(7 * pixel, beside + 5 * pixel)
  context.stroke()
  context.restore()
}
