import { FIT_PADDING } from '@lapwing/lap-map/fit'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { IncidentMark } from './lap-stretch.ts'
import { EVERYWHERE } from './outline-box.ts'
import type { OutlineGeometry, OutlineTransform } from './outline-geometry.ts'
import { writeLine } from './outline-path.ts'

const FONT = '600 11px "Inter Variable", system-ui, sans-serif'
/** Pixels; half the height of the words. */
const REACH = 6

/** Colours the road where a car was off the track or in contact. The context draws in metres. */
export function drawIncidentBands(
  context: CanvasRenderingContext2D,
  incidents: readonly IncidentMark[],
  geometry: OutlineGeometry,
  band: number,
  tokens: DrawingTokens,
) {
  context.globalAlpha = 0.5
  context.lineWidth = band
  for (const { from, to, of } of incidents) {
    const path = new Path2D()
    writeLine(path, geometry, from, to, 0, EVERYWHERE)
    context.strokeStyle = colourOf(of, tokens)
    context.stroke(path)
  }
  context.globalAlpha = 1
}

/** Writes what each incident cost beside it. The context draws in pixels from the middle of the lap. */
export function drawIncidentLabels(
  context: CanvasRenderingContext2D,
  incidents: readonly IncidentMark[],
  { halfWidth, halfHeight }: OutlineGeometry,
  awayM: number,
  { scale }: OutlineTransform,
  tokens: DrawingTokens,
) {
  if (incidents.length === 0) return
  // The browser lays the page out to set a font.
  if (context.font !== FONT) context.font = FONT
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  for (const { label, of, x, y, awayX, awayY } of incidents) {
    const reachX = context.measureText(label).width / 2
    const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
    // As far from the road as its own size needs.
    const labelX = (x + awayX * awayM) * scale + awayX * reachX
    const labelY = (y + awayY * awayM) * scale
    context.fillStyle = colourOf(of, tokens)
    context.fillText(
      label,
      within(labelX, halfWidth * scale + FIT_PADDING - reachX),
      within(labelY, halfHeight * scale + FIT_PADDING - REACH),
    )
  }
}

function colourOf(of: IncidentMark['of'], tokens: DrawingTokens): string {
  return of === 'lap' ? tokens.warning : tokens.reference
}
