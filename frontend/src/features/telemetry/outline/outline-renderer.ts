import type { LapRole } from '../lap-series.ts'
import type { DrawingTokens } from '../read-tokens.ts'
import type { OutlineGeometry, OutlineTransform } from './outline-geometry.ts'
import { writeLine, writeSegments } from './outline-path.ts'
import type { PedalSegment, PedalState } from './pedal-segments.ts'
import type { StartLine } from './start-line.ts'

/** One lap, ready to draw. */
export interface OutlineDrawing {
  readonly role: LapRole
  readonly geometry: OutlineGeometry
  readonly segments: readonly PedalSegment[]
  readonly startLine: StartLine | null
}

export interface OutlineMarker {
  readonly role: LapRole
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
}

/** Draws on two canvases: the laps when the view changes, the cursor on top at every tick. */
export interface OutlineRenderer {
  resize(width: number, height: number, pixelRatio: number): void
  /** `progress` (0..1) of each lap; the fit belongs to the zoom 1 view and bounds the detail drawn. */
  drawLaps(drawings: readonly OutlineDrawing[], transform: OutlineTransform, progress: number): void
  drawMarkers(markers: readonly OutlineMarker[], transform: OutlineTransform, isLocked: boolean): void
  setTokens(tokens: DrawingTokens): void
}

/** Pixels, except for the road, which is never drawn narrower than this but grows with the zoom. */
const LINE_WIDTH = 3
const BAND_WIDTH = 15
const ROAD_WIDTH_M = 12

/** Points nearer than this many pixels to the one before are not drawn. */
const DETAIL_PX = 0.3

export function createOutlineRenderer(
  lapsCanvas: HTMLCanvasElement,
  cursorCanvas: HTMLCanvasElement,
  initialTokens: DrawingTokens,
): OutlineRenderer {
  const laps = lapsCanvas.getContext('2d')!
  const cursor = cursorCanvas.getContext('2d')!
  let tokens = initialTokens
  let ratio = 1

  /** Clears, and lets everything after be drawn in the metres of the geometry. */
  function begin(context: CanvasRenderingContext2D, transform: OutlineTransform) {
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, context.canvas.width, context.canvas.height)
    const scale = transform.scale * ratio
    context.setTransform(scale, 0, 0, scale, transform.middleX * ratio, transform.middleY * ratio)
    context.lineCap = 'round'
    context.lineJoin = 'round'
  }

  function stroke(path: Path2D, colour: string, widthM: number) {
    laps.strokeStyle = colour
    laps.lineWidth = widthM
    laps.stroke(path)
  }

  function drawLaps(drawings: readonly OutlineDrawing[], transform: OutlineTransform, progress: number) {
    begin(laps, transform)
    const pixel = 1 / transform.scale
    const band = Math.max(BAND_WIDTH * pixel, ROAD_WIDTH_M)
    const main = drawings.find(drawing => drawing.role === 'lap')
    if (!main) return

    const whole = linePath(main.geometry, 1, pixel)
    stroke(whole, tokens.line, band + 2 * pixel)
    stroke(whole, tokens.raised, band)
    if (main.startLine) drawStartLine(main.startLine, band, pixel)
    for (const drawing of drawings) {
      if (drawing.role === 'reference') {
        stroke(linePath(drawing.geometry, progress, pixel), tokens.reference, 2 * pixel)
      }
    }
    drawPedals(main, progress, pixel)
  }

  /** A thin line through all samples, for those that make no segment; the pedal states over it. */
  function drawPedals({ geometry, segments }: OutlineDrawing, progress: number, pixel: number) {
    const end = Math.round(progress * (geometry.x.length - 1))
    const pathOf = (state: PedalState) => {
      const path = new Path2D()
      writeSegments(path, geometry, segments, state, end, DETAIL_PX * pixel)
      return path
    }
    const driven = linePath(geometry, progress, pixel)
    const throttle = pathOf('throttle')
    const brake = pathOf('brake')
    laps.globalAlpha = 0.35
    stroke(driven, tokens.casing, (LINE_WIDTH + 1.2) * pixel)
    laps.globalAlpha = 1
    stroke(driven, tokens.coast, (LINE_WIDTH / 2) * pixel)
    laps.lineCap = 'butt'
    // Where colours may not tell, coasting stays a thin line and braking is a double one.
    if (!tokens.isColourBlind) stroke(pathOf('coast'), tokens.coast, LINE_WIDTH * pixel)
    stroke(throttle, tokens.throttle, LINE_WIDTH * pixel)
    stroke(brake, tokens.brake, (tokens.isColourBlind ? LINE_WIDTH + 3 : LINE_WIDTH) * pixel)
    if (tokens.isColourBlind) stroke(brake, tokens.raised, (LINE_WIDTH - 1) * pixel)
  }

  function linePath(geometry: OutlineGeometry, progress: number, pixel: number): Path2D {
    const path = new Path2D()
    writeLine(path, geometry, 0, Math.round(progress * (geometry.x.length - 1)), DETAIL_PX * pixel)
    return path
  }

  /** A bar across the road, and outside of it an arrow the way the lap is driven. */
  function drawStartLine(line: StartLine, band: number, pixel: number) {
    laps.save()
    laps.translate(line.x, line.y)
    laps.rotate(line.heading)
    laps.lineCap = 'butt'
    laps.strokeStyle = tokens.text
    laps.lineWidth = 3 * pixel
    laps.beginPath()
    laps.moveTo(0, -band / 2 - 3 * pixel)
    laps.lineTo(0, band / 2 + 3 * pixel)
    laps.stroke()
    const beside = line.outside * (band / 2 + 12 * pixel)
    laps.strokeStyle = tokens.muted
    laps.lineWidth = 2 * pixel
    laps.beginPath()
    laps.moveTo(-7 * pixel, beside)
    laps.lineTo(12 * pixel, beside)
    laps.moveTo(7 * pixel, beside - 5 * pixel)
    laps.lineTo(12 * pixel, beside)
    laps.lineTo(7 * pixel, beside + 5 * pixel)
    laps.stroke()
    laps.restore()
  }

  function drawMarkers(markers: readonly OutlineMarker[], transform: OutlineTransform, isLocked: boolean) {
    begin(cursor, transform)
    const pixel = 1 / transform.scale
    for (const marker of markers) {
      const colour = marker.role === 'lap' ? tokens.lap : tokens.reference
      dot(marker, 9.5 * pixel, tokens.card)
      dot(marker, 7.5 * pixel, colour)
      dot(marker, 4.8 * pixel, tokens.card)
      if (isLocked) dot(marker, 2.8 * pixel, tokens.accent)
    }
  }

  function dot({ x, y }: OutlineMarker, radius: number, colour: string) {
    cursor.fillStyle = colour
    cursor.beginPath()
    cursor.arc(x, y, radius, 0, 2 * Math.PI)
    cursor.fill()
  }

  return {
    resize(width, height, pixelRatio) {
      ratio = pixelRatio
      for (const canvas of [lapsCanvas, cursorCanvas]) {
        canvas.width = Math.round(width * pixelRatio)
        canvas.height = Math.round(height * pixelRatio)
      }
    },
    drawLaps,
    drawMarkers,
    setTokens(next) {
      tokens = next
    },
  }
}
