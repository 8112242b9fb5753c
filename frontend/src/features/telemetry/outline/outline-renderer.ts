import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { CAR_SHAPES } from '../cars/car-shapes.ts'
import type { LapRole } from '../lap-series.ts'
import { drawIncidentBands, drawIncidentLabels } from './draw-incidents.ts'
import { drawStartLine } from './draw-start-line.ts'
import type { IncidentMark } from './lap-stretch.ts'
import { lineWidths } from './line-widths.ts'
import { type OutlineBox, widened } from './outline-box.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import type { OutlineTransform } from './outline-geometry.ts'
import { buildLines, buildRoad, type OutlineLines, rememberPaths } from './outline-paths.ts'

export interface OutlineMarker {
  readonly role: LapRole
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
  /** Radians clockwise from the right, of a car; null for a dot. */
  readonly direction: number | null
}

/** The content of the lower canvas. */
interface OutlineScene {
  /** Null until a lap is set. */
  readonly lap: OutlineDrawing | null
  /** The lap that the main lap is compared with; null without one. */
  readonly reference: OutlineDrawing | null
  readonly incidents: readonly IncidentMark[]
}

/** The band is at least this wide in pixels, and grows with the zoom. */
const BAND_WIDTH = 15
const BAND_WIDTH_M = 12

/** Pixels from the band's edge to the middle of what is written beside it. */
const LABEL_GAP = 10

/** Returns the metres from the lap to what is written beside it, at a scale in pixels per metre. */
export function labelDistance(scale: number): number {
  return bandWidth(scale) / 2 + LABEL_GAP / scale
}

const bandWidth = (scale: number) => Math.max(BAND_WIDTH / scale, BAND_WIDTH_M)

/** Dashes of the reference in the colour-blind palette: colour alone must not distinguish the laps. */
const REFERENCE_DASH = [6, 3]

/** Draws on two canvases: the laps when the view changes, the cursor above them at every tick. */
export function createOutlineRenderer(
  lapsCanvas: HTMLCanvasElement,
  cursorCanvas: HTMLCanvasElement,
  initialTokens: DrawingTokens,
) {
  const laps = lapsCanvas.getContext('2d')!
  const cursor = cursorCanvas.getContext('2d')!
  let tokens = initialTokens
  let ratio = 1
  const roadOf = rememberPaths(buildRoad)
  const linesOf = rememberPaths(buildLines)

  /** Clears the canvas, and scales it to the metres of the geometry. */
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

  /** Returns what the canvases show, in metres. */
  function seenBox({ scale, middleX, middleY }: OutlineTransform): OutlineBox {
    const { width, height } = laps.canvas
    return {
      minX: -middleX / scale,
      maxX: (width / ratio - middleX) / scale,
      minY: -middleY / scale,
      maxY: (height / ratio - middleY) / scale,
    }
  }

  /** Draws the first `progress` (0..1) of each lap; the road is always complete. */
  function drawLaps(scene: OutlineScene, transform: OutlineTransform, progress: number) {
    const { lap, reference, incidents } = scene
    begin(laps, transform)
    const pixel = 1 / transform.scale
    const band = bandWidth(transform.scale)
    const widths = lineWidths(transform.scale)
    if (!lap) return

    const box = widened(seenBox(transform), band, band)
    // The progress of the road is always 1: it is the same path in each frame of the first drawing.
    const road = roadOf(lap, pixel, box, 1)
    stroke(road, tokens.line, band + 2 * pixel)
    stroke(road, roadColour(tokens), band)
    if (lap.startLine) drawStartLine(laps, lap.startLine, lap.geometry, band, pixel, tokens)
    drawIncidentBands(laps, incidents, lap.geometry, band, tokens)
    if (reference) {
      if (tokens.isColourBlind) laps.setLineDash(REFERENCE_DASH.map(length => length * pixel))
      stroke(linesOf(reference, pixel, box, progress).driven, tokens.reference, widths.reference * pixel)
      laps.setLineDash([])
    }
    drawDriven(lap, linesOf(lap, pixel, box, progress), widths.lap, pixel)
    laps.setTransform(ratio, 0, 0, ratio, transform.middleX * ratio, transform.middleY * ratio)
    drawIncidentLabels(laps, incidents, lap.geometry, labelDistance(transform.scale), transform, tokens)
  }

  /** Draws the colours of a lap over a thin line, which also shows samples without a colour. */
  function drawDriven(
    lap: OutlineDrawing,
    { driven, classes }: OutlineLines,
    widthPx: number,
    pixel: number,
  ) {
    if (tokens.casing !== 'transparent') {
      laps.globalAlpha = 0.35
      stroke(driven, tokens.casing, (widthPx + 1.2) * pixel)
      laps.globalAlpha = 1
    }
    stroke(driven, tokens.coast, (widthPx / 2) * pixel)
    laps.lineCap = 'butt'
    // From the last class, which is the least important one, to the first.
    for (let i = classes.length - 1; i >= 0; i--) {
      const { colour, style } = lap.classes[i]!
      // Without colours, coasting is a thin line and braking a double one; so are no change and a loss.
      const isDouble = tokens.isColourBlind && style === 'double'
      if (tokens.isColourBlind && style === 'thin') continue
      stroke(classes[i]!, colour, (isDouble ? widthPx + 3 : widthPx) * pixel)
      if (isDouble) stroke(classes[i]!, roadColour(tokens), Math.max(1, widthPx - 1) * pixel)
    }
  }

  function drawMarkers(markers: readonly OutlineMarker[], transform: OutlineTransform, isLocked: boolean) {
    begin(cursor, transform)
    const pixel = 1 / transform.scale
    for (const marker of markers) {
      if (marker.direction !== null) {
        drawCar(marker, marker.direction, pixel)
        continue
      }
      if (marker.role === 'reference') {
        // A ring around the driver's own marker: the markers of two laps mostly overlap.
        dot(marker, 13 * pixel, tokens.card)
        dot(marker, 12 * pixel, tokens.reference)
        dot(marker, 9.5 * pixel, tokens.card)
        continue
      }
      dot(marker, 9.5 * pixel, tokens.card)
      dot(marker, 7.5 * pixel, tokens.lap)
      dot(marker, 4.8 * pixel, tokens.card)
      if (isLocked) dot(marker, 2.8 * pixel, tokens.accent)
    }
  }

  function drawCar({ role, x, y }: OutlineMarker, direction: number, pixel: number) {
    const shape = new Path2D(CAR_SHAPES[role])
    cursor.save()
    cursor.translate(x, y)
    cursor.rotate(direction)
    cursor.scale(pixel, pixel)
    cursor.strokeStyle = tokens.card
    cursor.lineWidth = 5
    cursor.stroke(shape)
    cursor.lineWidth = 2.5
    cursor.strokeStyle = tokens.reference
    cursor.fillStyle = tokens.lap
    if (role === 'reference') cursor.stroke(shape)
    else cursor.fill(shape)
    cursor.restore()
  }

  function dot({ x, y }: OutlineMarker, radius: number, colour: string) {
    cursor.fillStyle = colour
    cursor.beginPath()
    cursor.arc(x, y, radius, 0, 2 * Math.PI)
    cursor.fill()
  }

  return {
    resize(width: number, height: number, pixelRatio: number) {
      ratio = pixelRatio
      for (const canvas of [lapsCanvas, cursorCanvas]) {
        canvas.width = Math.round(width * pixelRatio)
        canvas.height = Math.round(height * pixelRatio)
      }
    },
    drawLaps,
    drawMarkers,
    setTokens(next: DrawingTokens) {
      tokens = next
    },
  }
}

/** Returns a colour between two greys: the raised surface alone hardly shows in the light theme. */
function roadColour(tokens: DrawingTokens): string {
  return `color-mix(in srgb, ${tokens.line} 55%, ${tokens.raised})`
}
